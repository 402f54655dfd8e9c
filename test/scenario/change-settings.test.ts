import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { childTools } from '../../src/compose/agents/children.ts';
import type { Child } from '../../src/core/agents/child.ts';
import { type SettingKey, SETTINGS } from '../../src/domain/settings/settings.ts';
import { TestEngine, type TestHost } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

type Values = Partial<Record<SettingKey, unknown>>;

type Changes = readonly (readonly [setting: string, value: unknown])[];

const TOOL = 'change_settings';
const REVIEWER = { name: 'reviewer', instructions: 'You only read.', level: 'guest' };

/** An owner who has a persona, so levels are used. */
async function open(
  changes: Changes,
  {
    host = {},
    ...more
  }: {
    readonly host?: Partial<TestHost>;
    readonly settings?: Values;
    readonly before?: string;
  } = {},
): Promise<TestEngine & { readonly settings: Values }> {
  const settings: Values = { personas: [REVIEWER], ...more.settings };
  const test = await TestEngine.open({
    script: inOrder(
      ...(more.before === undefined ? [] : [calls(call('run_command', { command: more.before }))]),
      calls(
        ...changes.map(([setting, value], index) =>
          call(TOOL, { setting, value: JSON.stringify(value) }, `c${index}`),
        ),
      ),
      say('Done.'),
    ),
    settings,
    host: {
      writeSetting: async (key, value) => void (await Promise.resolve((settings[key] = value))),
      unattended: false,
      ...host,
    },
  });
  return Object.assign(test, { settings });
}

describe('settings that the agent of an owner changes', function () {
  this.timeout(60_000);

  it('A5: level, budget, rules and personas, each approved by the user, who sees old and new value', async () => {
    const allowed = { effect: 'allow', tool: TOOL };
    const rule = { effect: 'deny', command: 'git push' };
    const changes: Changes = [
      ['budget.usdPerMonth', 20],
      ['budget.usdPerMonth', 30],
      ['permissions.rules', rule],
      ['personas', { ...REVIEWER, level: 'user' }],
      ['identity.defaultLevel', 'admin'],
    ];
    await using test = await open(changes, { settings: { 'permissions.rules': [allowed] } });
    assert.equal((await test.run('Change them.')).end?.reason, 'done');
    assert.deepEqual(test.settings, {
      'budget.usdPerMonth': 30,
      'permissions.rules': [allowed, rule],
      personas: [{ ...REVIEWER, level: 'user' }],
      'identity.defaultLevel': 'admin',
    });
    const asked = test.human.approvals;
    assert.equal(
      asked.length,
      5,
      'in mode Auto, with a rule that allows it, and again for the same setting',
    );
    assert.ok(asked.every(({ keep }) => keep === undefined));
    assert.match(asked[1]?.title ?? '', /belay\.budget\.usdPerMonth/u);
    assert.match(asked[1]?.detail ?? '', /Old value:\n20\n\nNew value:\n30/u);
  });

  it('A5: nothing is written that the user denies, or that the setting does not allow', async () => {
    await using test = await open([
      ['budget.usdPerMonth', -1],
      ['identity.defaultLevel', 'god'],
      ['permissions.rules', { effect: 'allow' }],
      ['permissions.rules', { effect: 'allow', everything: true }],
      ['personas', { instructions: 'No name.' }],
      ['personas', { name: 'odd', level: 'god' }],
      ['personas', { name: 'odd', level: { of: 'owner' } }],
      ['identity.guestModules', ['search', 'serach']],
      ['permissions.mode', 'auto'],
      ['budget.usdPerMonth', 20],
    ]);
    test.human.decide = async () => Promise.resolve({ allowed: false });
    assert.equal((await test.run('Change them.')).end?.reason, 'done');
    assert.deepEqual(test.settings, { personas: [REVIEWER] });
    // Nothing was asked about what cannot be.
    assert.deepEqual(
      test.human.approvals.map(({ title }) => title),
      ['Change the setting belay.budget.usdPerMonth'],
    );
  });

  it('A5: a value that the user did not see is not replaced', async () => {
    await using test = await open([['budget.usdPerMonth', 20]]);
    test.human.decide = async () => {
      test.settings['budget.usdPerMonth'] = 5;
      return Promise.resolve({});
    };
    await test.run('Change it.');
    assert.equal(test.settings['budget.usdPerMonth'], 5);
  });

  it('A5: the question says when others may have wanted the change, and sub-agents cannot ask it', async () => {
    await using test = await open([['budget.usdPerMonth', 20]], { before: 'curl --version' });
    await test.run('Change it.');
    const asked = test.human.approvals.find(({ tool }) => tool === TOOL);
    assert.match(asked?.reason ?? '', /neither you nor the model wrote.*budget\.usdPerMonth/su);
    const rights = { mode: 'auto', level: 'owner', roots: [test.workspace], depth: 1 } as const;
    const child = { kind: 'write', rights } as unknown as Child;
    const own = await test.engine.tools.own();
    const names = childTools(own, child, (key) => SETTINGS[key].default as never).map(
      ({ name }) => name,
    );
    assert.ok(names.includes('write_file') && !names.includes(TOOL), names.join());
  });

  it('A5: where nobody can be asked it is not done', async () => {
    await using test = await open([['budget.usdPerMonth', 20]], { host: { unattended: true } });
    await test.run('Change it.');
    assert.equal(test.settings['budget.usdPerMonth'], undefined);
    assert.equal(test.human.approvals.length, 0);
  });

  it('A5: the tool is hidden until levels or personas are used, below owner, and where settings cannot be written', async () => {
    const seen = async (
      test: TestEngine,
    ): Promise<readonly [offered: boolean, listed: boolean]> => {
      const { tools } = test.engine;
      const [own, rows] = await Promise.all([tools.own(), tools.rows()]);
      return [own.some(({ name }) => name === TOOL), rows.some(({ name }) => name === TOOL)];
    };
    const none = { personas: [] };
    await using fresh = await open([], { settings: none });
    assert.deepEqual(await seen(fresh), [false, false]);
    fresh.settings['identity.guestModules'] = ['search'];
    assert.deepEqual(await seen(fresh), [true, true]);
    await using admin = await open([], { host: { level: () => 'admin' } });
    assert.deepEqual(await seen(admin), [false, true]);
    await using used = await open([]);
    assert.deepEqual(await seen(used), [true, true]);
    const home = path.join(fresh.folder, 'home');
    await mkdir(path.join(home, '.belay/personas'), { recursive: true });
    await writeFile(path.join(home, '.belay/personas/own.md'), 'Own.');
    await using own = await open([], { settings: none, host: { home } });
    assert.deepEqual(await seen(own), [true, true]);
    await using headless = await TestEngine.open({
      script: () => say('Done.'),
      settings: { personas: [REVIEWER] },
    });
    assert.deepEqual(await seen(headless), [false, false]);
  });
});

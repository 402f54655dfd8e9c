import assert from 'node:assert/strict';
import { createDecide } from '../../../src/core/permissions/decide.ts';
import type { DecideParts, JudgeLine } from '../../../src/core/permissions/decide.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { decideBySandbox } from '../../../src/core/permissions/sandbox-decision.ts';
import type { SandboxAnswer } from '../../../src/core/permissions/sandbox-decision.ts';
import type { SandboxLack } from '../../../src/core/ports/commands/read-only-sandbox.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { KnownRule, PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { TOOLS, user } from './rules-rig.ts';

const ROOT = '/ws';
const ignored = { ruleFor: async () => undefined, ruleForAny: async () => undefined };
const guard = new PathGuard({
  files: { realpath: async (path) => path, stat: async () => undefined },
  ownFolders: [],
  ignored,
});

/** Harmless: `ls`. Writes a file: what begins with `tee`. Reads a secret: what begins with `cat`. */
const judgeLine: JudgeLine = async ({ command }) => {
  const programs = [command.split(' ')];
  if (command.startsWith('ls')) return { verdict: 'allow', programs };
  const path = (access: 'read' | 'write', place: 'inside' | 'secret') =>
    ({ path: '/ws/x', real: '/ws/x', access, place }) as const;
  if (command.startsWith('tee'))
    return { verdict: 'ask', programs, paths: [path('write', 'inside')] };
  if (command.startsWith('cat'))
    return { verdict: 'ask', always: true, paths: [path('read', 'secret')] };
  if (command.startsWith('rm')) return { verdict: 'refuse', programs };
  return { verdict: 'ask', programs };
};

const RUN: Tool = {
  ...TOOLS.outside,
  canRunReadOnly: ({ why, writes }) => why === undefined && writes !== true,
};

interface Situation extends Partial<Pick<DecideParts, 'mode' | 'level' | 'unattended'>> {
  readonly rules?: readonly (PermissionRule | KnownRule)[];
  readonly lack?: SandboxLack;
  readonly hidden?: readonly string[] | undefined;
  readonly tool?: Tool;
}

/** Returns the decision in mode Edit, and what the sandbox answered. */
async function decide(
  input: JsonObject,
  { rules = [], lack, tool = RUN, ...more }: Situation = {},
): Promise<{ readonly verdict: string; readonly answer: SandboxAnswer | undefined }> {
  let answer: SandboxAnswer | undefined;
  const hidden = 'hidden' in more ? more.hidden : ['/ws/.env'];
  const sandbox = { findLack: async () => lack, listHidden: async () => hidden };
  const decision = await createDecide({
    guard,
    mode: () => 'edit',
    level: () => 'owner',
    judgeLine,
    rules: async () => rules.map((one) => ('rule' in one ? one : user(one))),
    sandbox: async (question) => {
      answer = await decideBySandbox({ sandbox, ignored }, question);
      return answer;
    },
    ...more,
  })(tool, {
    part: { type: 'tool_call', id: 'c', name: tool.name, input },
    context: { sessionId: 's', roots: [ROOT] },
  });
  if (decision.verdict !== 'allow' || decision.readOnly === undefined)
    return { verdict: decision.verdict, answer };
  assert.deepEqual(decision.readOnly, { hidden });
  return { verdict: 'sandbox', answer };
}

describe('the decision of the read-only sandbox', () => {
  it('runs what only the judge of command lines requires approval for, with the hidden paths', async () => {
    assert.equal((await decide({ command: 'make all' })).verdict, 'sandbox');
    assert.equal(
      (await decide({ command: 'make all' }, { mode: () => 'auto' })).verdict,
      'sandbox',
    );
  });

  const obstacles: readonly [string, JsonObject, Situation][] = [
    ['mode', { command: 'make' }, { mode: () => 'ask' }],
    ['call', { command: 'make', why: 'it must' }, {}],
    ['call', { command: 'make', writes: true }, {}],
    ['call', { command: 'make' }, { tool: TOOLS.outside }],
    ['approval', { command: 'make' }, { rules: [{ effect: 'ask', command: 'make' }] }],
    ['path', { command: 'tee x' }, {}],
    ['path', { command: 'cat .env' }, {}],
    ['git', { command: 'make && git add .' }, {}],
    ['git', { command: "sh -c 'git commit -m x'" }, {}],
    ['rule', { command: 'make' }, { rules: [{ effect: 'deny', command: 'curl *' }] }],
    ['rule', { command: 'make' }, { rules: [{ effect: 'ask', path: 'db/**', access: 'read' }] }],
    ['off', { command: 'make' }, { lack: 'off' }],
    ['system', { command: 'make' }, { lack: 'system' }],
    ['folder', { command: 'make' }, { lack: 'folder' }],
    ['files', { command: 'make' }, { hidden: undefined }],
  ];
  for (const [obstacle, input, situation] of obstacles)
    it(`requires approval, ${obstacle}: ${JSON.stringify(input)}`, async () => {
      const { verdict, answer } = await decide(input, situation);
      assert.deepEqual([verdict, answer], ['ask', { obstacle }]);
    });

  it('is not hindered by rules of other folders, for hosts, or switched off', async () => {
    const rules: readonly PermissionRule[] = [
      { effect: 'deny', command: 'curl *', in: '/other' },
      { effect: 'deny', command: 'curl *', off: true },
      { effect: 'deny', host: 'a.example' },
      { effect: 'allow', command: 'curl *' },
    ];
    assert.equal((await decide({ command: 'make' }, { rules })).verdict, 'sandbox');
  });

  it('makes no refusal milder: of the judge, a rule or a level', async () => {
    assert.equal((await decide({ command: 'rm x' })).verdict, 'refuse');
    const rules: readonly PermissionRule[] = [{ effect: 'deny', command: 'make' }];
    assert.equal((await decide({ command: 'make' }, { rules })).verdict, 'refuse');
    const level = (): 'user' => 'user';
    assert.equal((await decide({ command: 'git commit' }, { level })).verdict, 'refuse');
    const guest = (): 'guest' => 'guest';
    const tool: Tool = { ...RUN, level: 'user' };
    assert.equal((await decide({ command: 'make' }, { level: guest, tool })).verdict, 'refuse');
  });

  it('is not asked where a command runs anyway, or nobody can be asked', async () => {
    const allowed = await decide({ command: 'ls' });
    assert.deepEqual([allowed.verdict, allowed.answer], ['allow', undefined]);
    const alone = await decide({ command: 'make' }, { mode: () => 'auto', unattended: true });
    assert.deepEqual([alone.verdict, alone.answer], ['allow', undefined]);
  });

  it('is not asked for commands that a rule allows', async () => {
    const rules: readonly PermissionRule[] = [{ effect: 'allow', command: 'make' }];
    const { verdict, answer } = await decide({ command: 'make' }, { rules });
    assert.deepEqual([verdict, answer], ['allow', undefined]);
  });
});

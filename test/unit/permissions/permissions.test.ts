import assert from 'node:assert/strict';
import { HostMemory } from '../../../src/core/permissions/network/allowed-hosts.ts';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { Permissions } from '../../../src/core/permissions/permissions.ts';
import { RememberedApprovals } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import { RuleBook } from '../../../src/core/permissions/rules/rule-book.ts';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { TOOLS } from './rules-rig.ts';

/** Permissions of a window, in memory; `child` is a session that `parent` delegated to. */
function opened() {
  const files = new MemoryFiles();
  let settings: readonly unknown[] = [];
  let kept: Json | undefined;
  const project = new RememberedApprovals(
    { files, hash: (text) => text, roots: () => [] },
    { read: async () => kept, write: async (value) => void (kept = value) },
  );
  const rules = new RuleBook({
    files,
    userRules: () => settings,
    workspaceRules: () => [],
    writeUserRules: async (all) => void (settings = all),
    mayChange: () => true,
    project,
  });
  const hosts = new HostMemory({ always: () => [], never: () => [] });
  const permissions = new Permissions({
    guard: new PathGuard({
      files: { realpath: async (path) => path, stat: async () => undefined },
      ownFolders: [],
      ignored: { ruleFor: async () => undefined, ruleForAny: async () => undefined },
    }),
    rules,
    hosts,
    mode: () => 'edit',
    level: () => 'owner',
    judgeLine: async ({ command }) => ({ verdict: 'ask', programs: [command.split(' ')] }),
    root: (sessionId) => (sessionId === 'child' ? 'parent' : sessionId),
  });
  const verdict = async (tool: Tool, input: JsonObject, sessionId = 's'): Promise<string> => {
    const part = { type: 'tool_call' as const, id: 'c', name: tool.name, input };
    return (await permissions.decide(tool, { part, context: { sessionId, roots: ['/ws'] } }))
      .verdict;
  };
  return { files, hosts, permissions, verdict, settings: () => settings, kept: () => kept };
}

const npm: PermissionRule = { effect: 'allow', command: 'npm test', in: '/ws' };
const test = { command: 'npm test' };
const edit = { path: '/ws/package.json' };

describe('approvals of a session', () => {
  it('to a command count for it and for what it delegated to, and for no other', async () => {
    const { permissions, verdict, settings } = opened();
    assert.equal(await verdict(TOOLS.run, test, 'parent'), 'ask');
    await permissions.keep('session', [npm], 'child');
    for (const id of ['parent', 'child']) assert.equal(await verdict(TOOLS.run, test, id), 'allow');
    assert.equal(await verdict(TOOLS.run, test, 's'), 'ask');
    assert.deepEqual(settings(), []);
  });

  it('to a file count for it and for what it delegated to, and for no other', async () => {
    const { permissions, verdict } = opened();
    permissions.agree('child', ['/ws/package.json']);
    permissions.agree('parent', ['/ws/Makefile']);
    for (const id of ['parent', 'child'])
      for (const path of ['/ws/package.json', '/ws/Makefile'])
        assert.equal(await verdict(TOOLS.edit, { path }, id), 'allow');
    assert.equal(await verdict(TOOLS.edit, edit, 's'), 'ask');
  });

  it('go to another process, and come from there', async () => {
    const here = opened();
    await here.permissions.keep('session', [npm], 's');
    await here.permissions.keep('project', [{ ...npm, command: 'make' }], 's');
    here.permissions.agree('s', ['/ws/package.json']);
    here.hosts.contacted('s', new URL('https://a.example/'));
    here.hosts.believed('s', new URL('https://b.example/'));
    const yeses = await here.permissions.yeses('s');
    assert.deepEqual(yeses, {
      rules: [npm],
      files: ['/ws/package.json'],
      contacted: ['https://a.example:443'],
      believed: ['https://b.example:443'],
      allEdits: false,
    });
    const none = { rules: [], files: [], contacted: [], believed: [], allEdits: false };
    assert.deepEqual(await here.permissions.yeses('other'), none);
    const there = opened();
    there.permissions.takeYeses('s', yeses);
    assert.equal(await there.verdict(TOOLS.run, test), 'allow');
    assert.equal(await there.verdict(TOOLS.edit, edit), 'allow');
    assert.deepEqual([...there.hosts.allowed('s').session], ['https://a.example:443']);
    assert.ok(there.hosts.isBelieved('s', new URL('https://b.example/')));
  });
});

describe('a remembered approval', () => {
  it('for the project counts in each session', async () => {
    const { permissions, verdict, settings, kept } = opened();
    await permissions.keep('project', [npm], 's');
    assert.equal(await verdict(TOOLS.run, test, 'other'), 'allow');
    assert.deepEqual(settings(), []);
    assert.ok(kept() !== undefined, 'with what it starts');
  });

  it('is told where it is kept, and goes from where it was kept', async () => {
    for (const where of ['session', 'project'] as const) {
      const { permissions, verdict } = opened();
      let told = 0;
      permissions.rules.onChange(() => (told += 1));
      await permissions.keep(where, [npm], 's');
      assert.equal(told, 1, where);
      await permissions.rules.remove(npm, 's');
      assert.equal(told, 2, where);
      assert.equal(await verdict(TOOLS.run, test), 'ask', where);
    }
    const { permissions, verdict, settings } = opened();
    await permissions.rules.add([npm]);
    await permissions.keep('project', [npm], 's');
    await permissions.rules.remove(npm);
    assert.deepEqual(settings(), []);
    assert.equal(await verdict(TOOLS.run, test), 'allow', 'that for the project is another one');
  });

  it('is bound to what the command starts, wherever it is kept', async () => {
    for (const where of ['session', 'project'] as const) {
      const { files, permissions, verdict } = opened();
      files.put('/ws/package.json', '{"scripts":{"test":"a"}}');
      await permissions.keep(where, [npm], 's');
      assert.equal(await verdict(TOOLS.run, test), 'allow', where);
      files.put('/ws/package.json', '{"scripts":{"test":"b"}}');
      assert.equal(await verdict(TOOLS.run, test), 'ask', where);
    }
  });
});

describe('what would become of a call', () => {
  const where = { sessionId: 's', roots: ['/ws'] };

  it('is told by the same code that decides about real ones', async () => {
    const { permissions } = opened();
    assert.equal((await permissions.explain(TOOLS.edit, edit, where)).verdict, 'ask');
    permissions.agree('s', ['/ws/package.json']);
    assert.equal((await permissions.explain(TOOLS.edit, edit, where)).verdict, 'allow');
  });

  it('is a refusal for an input that the tool does not take', async () => {
    const { permissions } = opened();
    const strict: Tool = { ...TOOLS.edit, check: () => ({ problem: 'path is missing' }) };
    const decision = await permissions.explain(strict, {}, where);
    assert.ok(decision.verdict === 'refuse');
    assert.deepEqual(decision.reasons.map(inEnglish), ['path is missing']);
    const filled: Tool = { ...TOOLS.edit, check: () => ({ input: edit }) };
    assert.equal((await permissions.explain(filled, {}, where)).verdict, 'ask');
  });

  it('may have changed when the mode or the rules did, as long as somebody listens', async () => {
    const { permissions } = opened();
    const told: string[] = [];
    const listening = permissions.onChange((what) => told.push(what));
    permissions.modeChanged();
    permissions.rules.addForSession('s', [npm]);
    assert.deepEqual(told, ['mode', 'rules']);
    listening.dispose();
    permissions.modeChanged();
    permissions.rules.addForSession('s', []);
    assert.equal(told.length, 2);
  });
});

import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { allowedBy, caughtBy } from '../../../src/core/permissions/rules/match.ts';
import type { CallParts } from '../../../src/core/permissions/rules/call-parts.ts';
import {
  isCheckOnly,
  createApprovalRules,
} from '../../../src/core/permissions/rules/approval-rules.ts';
import { RuleBook } from '../../../src/core/permissions/rules/rule-book.ts';
import { readWorkspaceFile } from '../../../src/core/permissions/rules/workspace-rules.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { decide, TOOLS, user } from './rules-rig.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

describe('the rule that a question offers', () => {
  const offered = async (tool: Tool, input: JsonObject) => {
    const decided = await decide(tool, input);
    assert.ok(decided.verdict === 'ask' && decided.allowable !== undefined);
    return createApprovalRules(decided.allowable);
  };

  it('is as narrow as what was shown', async () => {
    assert.deepEqual(await offered(TOOLS.mcp, {}), [
      { effect: 'allow', server: 'hub', serverTool: 'make', hash: 'h1', in: '/ws' },
    ]);
    assert.deepEqual(await offered(TOOLS.edit, { path: '/ws/src/a[1].ts' }), [
      { effect: 'allow', path: String.raw`src/a\[1\].ts`, access: 'write', in: '/ws' },
    ]);
    // Without a slash it would be a name anywhere.
    assert.deepEqual(await offered(TOOLS.edit, { path: '/ws/a.ts' }), [
      { effect: 'allow', path: '/ws/a.ts', access: 'write' },
    ]);
    assert.deepEqual(await offered(TOOLS.read, { path: '/other/a.ts' }), [
      { effect: 'allow', path: '/other/a.ts', access: 'read' },
    ]);
    assert.deepEqual(await offered(TOOLS.fetch, { url: 'https://a.org/x' }), [
      { effect: 'allow', tool: 'web_fetch', host: 'a.org' },
    ]);
    assert.deepEqual(await offered(TOOLS.run, { command: 'npm x && npm x && npm y' }), [
      { effect: 'allow', command: 'npm x', in: '/ws' },
      { effect: 'allow', command: 'npm y', in: '/ws' },
    ]);
  });

  it('is none where it could not say exactly what was shown', async () => {
    assert.equal(await offered(TOOLS.run, { command: 'npm x*' }), undefined);
    assert.equal(await offered(TOOLS.run, { command: 'npm x', cwd: '/elsewhere' }), undefined);
    assert.equal(await offered(TOOLS.run, { command: 'echo $x' }), undefined);
    assert.equal(await offered(TOOLS.run, { command: 'npm test <' }), undefined);
    assert.equal(await offered(TOOLS.run, { command: 'npm test && npm test <' }), undefined);
    const { hash: _, ...unnamed } = { ...TOOLS.mcp, serverTool: undefined as never };
    assert.equal(await offered(unnamed, {}), undefined);
    const code: Tool = {
      ...TOOLS.task,
      starts: async () => ({ lines: [], code: { subject: 'a', text: 'b' } }),
    };
    assert.equal(await offered(code, {}), undefined, 'no hash, no yes that is kept');
  });
});

describe('a command that is given something to read', () => {
  it('is allowed by no rule that names it word for word, and asked about each time', async () => {
    const exact: PermissionRule = { effect: 'allow', command: 'npm test' };
    const open: PermissionRule = { effect: 'allow', command: 'npm test *' };
    for (const [command, rule, verdict] of [
      ['npm test', exact, 'allow'],
      ['npm test <', exact, 'ask'],
      ['npm test <', open, 'allow'],
      ['npm test && npm test <', exact, 'ask'],
    ] as const)
      assert.equal((await decide(TOOLS.run, { command }, [rule])).verdict, verdict, command);
    for (const [command, once] of [
      ['npm test', true],
      ['npm test <', false],
      ['npm test && npm x', false],
    ] as const) {
      const decided = await decide(TOOLS.run, { command });
      assert.ok(decided.verdict === 'ask' && decided.allowable !== undefined);
      assert.equal(isCheckOnly(decided.allowable), once, command);
    }
  });
});

describe('rules that cannot be read', () => {
  it('E7: one that may forbid makes everything asked about, one that allows counts for nothing', async () => {
    const files = new MemoryFiles();
    const effects = async (raw: unknown): Promise<readonly string[]> => {
      const book = new RuleBook({
        files,
        userRules: () => [raw],
        workspaceRules: () => [],
        mayChange: () => true,
      });
      return (await book.list(undefined, [])).rules.map(
        ({ rule }) => `${rule.effect} ${rule.tool}`,
      );
    };
    assert.deepEqual(await effects({ effect: 'deny', path: 'a.[t' }), ['ask *']);
    assert.deepEqual(await effects(null), ['ask *']);
    assert.deepEqual(await effects({ effect: 'allow', path: 'a.[t' }), []);
  });

  it('a file of rules that is no list of rules makes everything asked about', async () => {
    for (const text of ['null', '3', '{}', '{"rules":3}', '{', String.fromCharCode(0xff)]) {
      const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
      const files = { read: async () => bytes };
      const { rules, notes } = await readWorkspaceFile('/ws', files);
      assert.deepEqual(
        rules.map(({ rule }) => rule),
        [{ effect: 'ask', tool: '*' }],
        text,
      );
      assert.match(notes.map(inEnglish).join(), /everything is asked about/u);
    }
    const deny = new TextEncoder().encode('{"rules":[{"effect":"deny","path":"a"}]}');
    const { notes } = await readWorkspaceFile('/ws', { read: async () => deny });
    assert.deepEqual(notes, []);
  });
});

describe('what a rule fits', () => {
  const nothing = { roots: ['/ws'], paths: [], lines: [], hosts: [] };
  const parts = (tool: Partial<CallParts['tool']>, more: Partial<CallParts> = {}): CallParts => ({
    ...nothing,
    tool: { name: 'run_task', permission: 'execute', ...tool },
    ...more,
  });

  it('code: the same tool, name and text', () => {
    const code = { subject: 'task a', hash: 'h' };
    const fits = (rule: Partial<PermissionRule>, shown: { subject: string; hash?: string }) =>
      allowedBy(
        [user({ effect: 'allow', tool: 'run_task', subject: 'task a', hash: 'h', ...rule })],
        { kind: 'code', code: shown },
        parts({}, { code: shown }),
        { wholeTools: false },
      ) !== undefined;
    assert.ok(fits({}, code));
    assert.ok(!fits({ tool: 'run_cell' }, code));
    assert.ok(!fits({ tool: 'run_*' }, code), 'by the name of the tool, not by its letters');
    assert.ok(!fits({ subject: 'task b' }, code));
    assert.ok(!fits({ hash: 'i' }, code));
    assert.ok(!fits({}, { subject: 'task a' }));
    const { hash: _, ...blank } = {
      effect: 'allow',
      tool: 'run_task',
      subject: 'task a',
      hash: '',
    } as const;
    const unhashed = { subject: 'task a' };
    assert.equal(
      allowedBy([user(blank)], { kind: 'code', code: unhashed }, parts({}, { code: unhashed }), {
        wholeTools: false,
      }),
      undefined,
    );
  });

  it('servers: in the letters that are allowed, in any that are denied', () => {
    const call = parts({ server: 'hub', serverTool: 'make', hash: 'h' });
    const allows = (rule: Omit<PermissionRule, 'effect'>): boolean =>
      allowedBy([user({ effect: 'allow', ...rule })], { kind: 'server' }, call, {
        wholeTools: false,
      }) !== undefined;
    const denies = (rule: Omit<PermissionRule, 'effect'>, of = call): boolean =>
      caughtBy([user({ effect: 'deny', ...rule })], of) !== undefined;
    assert.ok(allows({ server: 'hub' }));
    assert.ok(!allows({ server: 'HUB' }));
    assert.ok(denies({ server: 'HUB' }));
    assert.ok(denies({ server: 'hub', serverTool: 'MAKE' }));
    assert.ok(!denies({ server: 'hub', serverTool: 'other' }));
    assert.ok(!denies({ server: 'hub' }, parts({})));
    assert.ok(denies({ tool: 'RUN_TASK' }));
    assert.ok(denies({ tool: 'x'.repeat(1025) }), 'what is too long to be read denies');
  });

  it('hosts: a name, all below it, or all', () => {
    const call = parts({}, { hosts: ['a.example.org'] });
    const fits = (host: string): boolean =>
      caughtBy([user({ effect: 'deny', host })], call) !== undefined;
    for (const host of ['*', 'a.example.org', 'A.example.org.', '*.example.org', '*.org'])
      assert.ok(fits(host), host);
    for (const host of ['example.org', '*.a.example.org', 'xa.example.org', '*.ample.org'])
      assert.ok(!fits(host), host);
    const line = { text: 'curl https://EVIL.org/x', cwd: '/ws', verdict: 'ask' } as const;
    const named = (host: string): boolean =>
      caughtBy([user({ effect: 'deny', host })], parts({}, { lines: [line] })) !== undefined;
    assert.ok(named('evil.org'));
    assert.ok(named('*.evil.org'));
    assert.ok(!named('good.org'));
  });
});

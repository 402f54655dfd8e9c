import assert from 'node:assert/strict';
import type { Decision } from '../../../src/core/permissions/decision.ts';
import type { ChangedFile } from '../../../src/core/permissions/rules/remembered-approvals.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { decide, TOOLS } from './rules-rig.ts';

const said = (decision: Decision): string =>
  'reasons' in decision ? (decision.reasons ?? []).map(inEnglish).join(' | ') : '';
const by = ({ rule }: Decision): PermissionRule | undefined => rule?.rule;

describe('of several objections to a call', () => {
  const deny: PermissionRule = { effect: 'deny', tool: 'edit_file' };

  it('a rule of the person is told before a guard that refuses, too', async () => {
    const both = await decide(TOOLS.edit, { path: '/own/x' }, [deny]);
    assert.deepEqual([both.verdict, by(both)], ['refuse', deny]);
    assert.match(said(both), /^edit_file was not run: a rule of the person forbids it/u);
    assert.doesNotMatch(said(both), /Belay/u);
    const guard = await decide(TOOLS.edit, { path: '/own/x' });
    assert.deepEqual([guard.verdict, by(guard)], ['refuse', undefined]);
    assert.match(said(guard), /^\/own\/x may not be used by a tool/u);
  });

  it('a rule that allows is none that a refusal or a question is told with', async () => {
    const allow: PermissionRule = { effect: 'allow', path: '/**' };
    const edits = (...paths: string[]): Tool => ({
      ...TOOLS.edit,
      touches: () => paths.map((path) => ({ path, access: 'write' })),
    });
    const allowed = await decide(edits('/ws/a.ts'), {}, [allow]);
    assert.deepEqual([allowed.verdict, by(allowed)], ['allow', allow]);
    const refused = await decide(edits('/ws/a.ts', '/own/x'), {}, [allow]);
    assert.deepEqual([refused.verdict, by(refused)], ['refuse', undefined]);
    const asked = await decide(edits('/ws/a.ts', '/ws/package.json'), {}, [allow]);
    assert.deepEqual([asked.verdict, by(asked)], ['ask', undefined]);
    const ask: PermissionRule = { effect: 'ask', tool: 'edit_file' };
    const both = await decide(edits('/ws/a.ts', '/ws/package.json'), {}, [ask]);
    assert.deepEqual([both.verdict, by(both)], ['ask', ask]);
  });

  it('what goes to a program that runs is asked about, however harmless it looks', async () => {
    const line = (isInput: boolean): Tool => ({
      ...TOOLS.run,
      commands: () => [{ command: 'ls', cwd: '/ws', isInput }],
    });
    assert.equal((await decide(line(false), {})).verdict, 'allow');
    assert.equal((await decide(line(true), {})).verdict, 'ask');
  });
});

describe('files that are asked about once in a session', () => {
  const agreed = (_: string, path: string): boolean => path === '/ws/package.json';

  it('are named with the question, by their real paths', async () => {
    const asked = await decide(TOOLS.edit, { path: '/ws/link/Makefile' }, [], { mode: 'edit' });
    assert.ok(asked.verdict === 'ask');
    assert.deepEqual(asked.once, ['/ws/src/Makefile']);
    const elsewhere = await decide(TOOLS.edit, { path: '/other/a.ts' }, [], { mode: 'edit' });
    assert.ok(elsewhere.verdict === 'ask');
    assert.equal(elsewhere.once, undefined);
  });

  it('need no question after that, and no other file does', async () => {
    const verdict = async (path: string, more = {}): Promise<string> =>
      (await decide(TOOLS.edit, { path }, [], { mode: 'edit', ...more })).verdict;
    assert.equal(await verdict('/ws/package.json'), 'ask');
    assert.equal(await verdict('/ws/package.json', { approvals: { agreed } }), 'allow');
    assert.equal(await verdict('/ws/Makefile', { approvals: { agreed } }), 'ask');
    assert.equal(await verdict('/other/a.ts', { approvals: { agreed: () => true } }), 'ask');
    assert.equal(await verdict('/own/a.ts', { approvals: { agreed: () => true } }), 'refuse');
    const ask = await decide(TOOLS.edit, { path: '/ws/package.json' }, [], {
      approvals: { agreed },
    });
    assert.ok(ask.verdict === 'ask', 'in mode Ask as any other file');
    assert.equal(ask.once, undefined);
  });

  it('are not those where a change makes the editor fetch something', async () => {
    const text = '{"$schema":"https://a.example/"}';
    const tool: Tool = {
      ...TOOLS.edit,
      touches: () => [{ path: '/ws/a.json', access: 'write', text }],
    };
    const asked = await decide(tool, {}, [], { mode: 'edit', approvals: { agreed: () => true } });
    assert.ok(asked.verdict === 'ask');
    assert.equal(asked.once, undefined);
  });
});

describe('a yes to a program that is not the same any more', () => {
  const yes: PermissionRule = { effect: 'allow', command: 'npm test', in: '/ws' };
  const file = (name: string): ChangedFile => ({ path: `/ws/${name}`, name });
  const asked = async (
    changed: readonly ChangedFile[],
    more: Parameters<typeof decide>[3] = {},
    rules = [yes],
  ): Promise<Decision> =>
    decide(TOOLS.run, { command: 'npm test' }, rules, { changes: async () => changed, ...more });

  it('counts while nothing has changed', async () => {
    const decision = await asked([]);
    assert.deepEqual([decision.verdict, by(decision)], ['allow', yes]);
    const never = await decide(TOOLS.run, { command: 'make' }, [yes], {
      changes: async () => [file('a.sh')],
    });
    assert.ok(!('reasons' in never), 'a question of its own says nothing of other programs');
  });

  it('is asked about with what has changed, by whom', async () => {
    const theirs = 'not by a change of Belay that waits for review: ';
    const ours = 'Since then Belay changed something it runs, and you have not reviewed it yet: ';
    const one = await asked([file('a.sh')]);
    assert.equal(one.verdict, 'ask');
    assert.equal(
      said(one),
      `You allowed npm test here before. Since then something it runs has changed, ${theirs}a.sh.`,
    );
    const own = await asked([file('a.sh')], { unreviewed: () => true });
    assert.equal(said(own), `You allowed npm test here before. ${ours}a.sh.`);
    const both = await asked([file('a.sh'), file('b.sh')], {
      unreviewed: (path) => path === '/ws/b.sh',
    });
    assert.match(said(both), /reviewed it yet: b\.sh\. .* waits for review: a\.sh\.$/u);
  });

  it('names five files and counts the others', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}`));
    assert.match(said(await asked(files(5))), /: 0, 1, 2, 3, 4\.$/u);
    assert.match(said(await asked(files(6))), /: 0, 1, 2, 3, 4, 1 more\.$/u);
    assert.match(said(await asked(files(8))), /: 0, 1, 2, 3, 4, 3 more\.$/u);
  });

  it('leaves the next rule that allows it', async () => {
    const other: PermissionRule = { effect: 'allow', command: 'npm *' };
    const decision = await decide(TOOLS.run, { command: 'npm test' }, [yes, other], {
      changes: async (rule) => (rule === yes ? [file('a.sh')] : []),
    });
    assert.deepEqual([decision.verdict, by(decision)], ['allow', other]);
    const host: PermissionRule = { effect: 'allow', host: 'a.example' };
    const fetched = await decide(TOOLS.fetch, { url: 'https://a.example/' }, [host], {
      changes: async () => [file('x')],
    });
    assert.match(said(fetched), /^You allowed this here before\. Since then/u);
  });

  it('keeps the reason for which it would be asked about anyway', async () => {
    const outside: PermissionRule = { effect: 'allow', path: '/other/**' };
    const decision = await decide(TOOLS.read, { path: '/other/a' }, [outside], {
      changes: async () => [file('x')],
    });
    assert.match(
      said(decision),
      /^Reads outside the workspace: \/other\/a\. You allowed this here before\. Since then/u,
    );
  });
});

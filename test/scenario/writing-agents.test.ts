import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { shownDisplay } from '../../src/panel/cards/tool-details.ts';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine, type TestHost } from '../support/engine/test-engine.ts';
import { eventually } from '../ui/panel-preview/eventually.ts';
import { workerFile } from '../support/worker-file.ts';
import { hasResults } from '../support/model-server/delegated.ts';
import { type Turn, type WireRequest, call, calls, say } from '../support/model-server/turn.ts';

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');
const FILES = { 'a.txt': LINES, 'b.txt': 'old\n', 'gone.txt': 'go\n', '.gitignore': 'out/\n' };

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

/** A workspace that is a repository, with a change that is in no commit. */
async function repository(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-engine-'));
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  for (const [name, text] of Object.entries(FILES))
    await writeFile(path.join(workspace, name), text);
  git(workspace, 'init', '--quiet', '--initial-branch=main');
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '--quiet', '-m', 'first');
  await writeFile(path.join(workspace, 'b.txt'), 'not committed\n');
  return folder;
}

const isTask = ({ messages }: WireRequest): boolean => JSON.stringify(messages).includes('TASK');
const edit = (file: string, from: string, to: string) =>
  call('edit_file', { path: file, edits: [{ old_string: from, new_string: to }] });

/** The writer does each of its turns, then reports. */
async function delegating(
  turns: readonly ((request: WireRequest) => Turn | Promise<Turn>)[],
  mode: 'ask' | 'edit' = 'ask',
  after?: string,
  host: Partial<TestHost> = {},
): Promise<TestEngine> {
  const folder = after ?? (await repository());
  let at = 0;
  return TestEngine.open({
    after: { folder },
    settings: { 'permissions.mode': mode },
    host: { reviewed: true, ...host },
    script: async (request) => {
      if (!isTask(request))
        return hasResults(request)
          ? say('All told.')
          : calls(call('write_agent', { title: 'Change lines', task: 'TASK change' }, 'call_w'));
      at += 1;
      return (await turns[at - 1]?.(request)) ?? say('Changed.');
    },
  });
}

const changing = (): Turn =>
  calls(
    call('read_file', { files: [{ path: 'a.txt' }, { path: 'b.txt' }] }),
    edit('a.txt', 'line 2\n', 'LINE 2\n'),
    edit('a.txt', 'line 11\n', 'LINE 11\n'),
    edit('b.txt', 'not committed', 'seen and changed'),
    call('write_file', { path: 'new/c.txt', content: 'new\n' }),
    call('manage_files', { operations: [{ kind: 'delete', path: 'gone.txt' }] }),
  );

const resultOf = async (test: TestEngine, sessionId: string): Promise<string> =>
  (await test.messages(sessionId))
    .flatMap(toolResultsOf)
    .map(({ content }) => textOf({ parts: content }))
    .join('\n');

describe('stories of sub-agents that change files', function () {
  this.timeout(240_000);

  it('B13: its changes are made in a worktree of its own; in mode Ask one card asks about its files', async () => {
    await using test = await delegating([
      changing,
      async () => {
        const workspace = realpathSync(test.workspace);
        assert.equal(await readFile(path.join(workspace, 'a.txt'), 'utf8'), LINES);
        assert.match(git(workspace, 'worktree', 'list'), /belay-agent/u);
        return say('Changed five files.');
      },
    ]);
    const at = (name: string): string => path.join(realpathSync(test.workspace), name);
    test.human.decide = async () => ({ allowed: true, without: [at('b.txt')] });
    const { sessionId, end } = await test.run('Go.');
    assert.equal(end?.reason, 'done');
    const [question] = test.human.approvals;
    assert.equal(test.human.approvals.length, 1);
    assert.equal(question?.isSelectable, true);
    assert.deepEqual(
      question.edits?.map(({ path: file }) => path.relative(at('.'), file)).toSorted(),
      ['a.txt', 'b.txt', 'gone.txt', 'new/c.txt'],
    );
    const told = await resultOf(test, sessionId);
    assert.match(
      told,
      /Changed five files\..*in the workspace now: a\.txt, gone\.txt, new\/c\.txt/su,
    );
    assert.match(told, /Not taken over: b\.txt: the user left it out/u);
    assert.match(told, /still in .*belay-agent/u);
    assert.match(await readFile(at('a.txt'), 'utf8'), /LINE 2\n[\s\S]*LINE 11\n/u);
    assert.equal(await readFile(at('b.txt'), 'utf8'), 'not committed\n');
    assert.deepEqual(test.engine.reviews?.pending, [], 'what was allowed counts as kept');
    assert.match(git(test.workspace, 'worktree', 'list'), /belay-agent/u, 'b.txt is still in it');
  });

  it('B13: in mode Edit its changes arrive pending, and its worktree is removed', async () => {
    await using test = await delegating([changing, () => say('Changed.')], 'edit');
    const at = (name: string): string => path.join(realpathSync(test.workspace), name);
    await test.run('Go.');
    assert.deepEqual(test.human.approvals, []);
    const reviews = test.engine.reviews ?? assert.fail();
    const [first, second] = hunksOf(reviews.find(at('a.txt')) ?? assert.fail('nothing is pending'));
    await reviews.decisions.keep({ path: at('a.txt'), choice: [first?.id ?? ''] });
    await reviews.decisions.undo({ path: at('a.txt'), choice: [second?.id ?? ''] });
    assert.match(await readFile(at('a.txt'), 'utf8'), /LINE 2\n[\s\S]*line 11\n/u);
    assert.doesNotMatch(git(test.workspace, 'worktree', 'list'), /belay-agent/u);
    assert.equal(git(test.workspace, 'branch', '--list').trim(), '* main');
    assert.equal(git(test.workspace, 'diff', '--cached', '--name-only'), '');
  });

  it('what arrived is restored like an edit, and what the user did meanwhile stays', async () => {
    const storage = await mkdtemp(path.join(os.tmpdir(), 'belay-writing-'));
    const snapshots = new NodeWorkspaceSnapshots({
      folder: storage,
      name: 'test',
      worker: workerFile('hosts/node/workspace-snapshots/worker.ts'),
      without: [],
      environment: {},
    });
    const at = (name: string): string => path.join(test.workspace, name);
    const users = async (): Promise<Turn> => {
      await writeFile(at('mine.txt'), 'mine\n');
      return say('Done.');
    };
    await using test = await delegating([changing, users], 'edit', undefined, { snapshots });
    const { sessionId } = await test.run('Go.');
    assert.match(await readFile(at('a.txt'), 'utf8'), /LINE 11/u);
    const { restore } = test.engine;
    const target = (await restore.targets(sessionId)).at(-1) ?? assert.fail();
    const previews = await restore.preview(target.records, target.checkpoint);
    assert.deepEqual(previews.map((one) => `${one.path} ${one.outcome}`).toSorted(), [
      'a.txt restored',
      'b.txt restored',
      'gone.txt restored',
      'mine.txt others',
      'new/c.txt restored',
    ]);
    const own = previews.filter(({ outcome }) => outcome === 'restored');
    await restore.restore({ target, what: 'files', previews: own });
    assert.equal(await readFile(at('a.txt'), 'utf8'), LINES);
    assert.equal(await readFile(at('mine.txt'), 'utf8'), 'mine\n');
    snapshots.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  it('B13: what changed meanwhile stays: texts are merged, and where both changed the same it is said', async () => {
    await using test = await delegating(
      [
        changing,
        async () => {
          await writeFile(
            path.join(test.workspace, 'a.txt'),
            LINES.replace('line 6\n', 'line six\n'),
          );
          await writeFile(path.join(test.workspace, 'b.txt'), 'mine\n');
          return say('Done.');
        },
      ],
      'edit',
    );
    const { sessionId } = await test.run('Go.');
    const text = await readFile(path.join(test.workspace, 'a.txt'), 'utf8');
    assert.match(text, /LINE 2\n[\s\S]*line six\n[\s\S]*LINE 11\n/u);
    assert.equal(await readFile(path.join(test.workspace, 'b.txt'), 'utf8'), 'mine\n');
    assert.equal(existsSync(path.join(test.workspace, 'gone.txt')), false);
    assert.match(
      await resultOf(test, sessionId),
      /Not taken over: b\.txt: it was changed in the meantime/u,
    );
  });

  it('B13: in mode Read nobody changes anything, and without a repository there are no such sub-agents’ changes', async () => {
    await using test = await delegating([changing]);
    const { id } = await test.engine.agent.sessions.create({ mode: 'read' });
    await test.engine.agent.send(id, { text: 'Go.' });
    await test.engine.agent.runs.settled(id);
    assert.match(await resultOf(test, id), /read only|mode/iu);
    assert.equal(test.engine.reviews?.pending.length, 0);
    await rm(path.join(test.workspace, '.git'), { recursive: true });
    const { sessionId } = await test.run('Go.');
    assert.match(await resultOf(test, sessionId), /no git repository/u);
  });

  it('security, rule 11: no hook and no filter of the repository runs for a worktree', async () => {
    const folder = await repository();
    const workspace = path.join(folder, 'workspace');
    const trap = path.join(folder, 'sprung');
    for (const hook of ['post-checkout', 'pre-commit', 'post-commit', 'post-index-change']) {
      const file = path.join(workspace, '.git', 'hooks', hook);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, `#!/bin/sh\necho ${hook} >> '${trap}'\n`);
      await chmod(file, 0o755);
    }
    git(workspace, 'config', 'filter.trap.clean', `sh -c 'echo clean >> ${trap}; cat'`);
    git(workspace, 'config', 'filter.trap.smudge', `sh -c 'echo smudge >> ${trap}; cat'`);
    git(workspace, 'config', 'core.fsmonitor', `sh -c 'echo monitor >> ${trap}'`);
    await writeFile(path.join(workspace, '.gitattributes'), '*.txt filter=trap\n');
    await using test = await delegating([changing], 'ask', folder);
    const { sessionId } = await test.run('Go.');
    assert.match(await resultOf(test, sessionId), /in the workspace now: /u);
    assert.equal(existsSync(trap), false);
  });

  for (const who of ['the sub-agent', 'its parent'] as const)
    it(`B13: a stop of ${who} brings nothing into the workspace; what was changed stays in the worktree`, async () => {
      const reached = Promise.withResolvers<undefined>();
      await using test = await delegating(
        [
          changing,
          async () => {
            reached.resolve(undefined);
            return say('never', { delayMs: 60_000 });
          },
        ],
        'edit',
      );
      const sessionId = await test.start('Go.');
      await reached.promise;
      test.engine.agent.runs.cancel(who === 'its parent' ? sessionId : 'call_w');
      await test.engine.agent.runs.settled(sessionId);
      const at = path.join(realpathSync(test.workspace), 'a.txt');
      const list = git(test.workspace, 'worktree', 'list', '--porcelain');
      const [, copy = ''] = /^worktree (.*belay-agent.*)$/mu.exec(list) ?? [];
      assert.match(await readFile(path.join(copy, 'a.txt'), 'utf8'), /LINE 2\n/u);
      assert.equal(await readFile(at, 'utf8'), LINES);
      assert.deepEqual(test.engine.reviews?.pending, []);
      if (who === 'the sub-agent')
        assert.match(
          await resultOf(test, sessionId),
          /person stopped this sub-agent.*Not taken over: a\.txt.*still in /su,
        );
    });

  it('its report names what the workspace does not get, and its task the submodules that it lacks', async () => {
    const folder = await repository();
    const workspace = path.join(folder, 'workspace');
    const head = git(workspace, 'rev-parse', 'HEAD').trim();
    git(workspace, 'update-index', '--add', '--cacheinfo', `160000,${head},lib`);
    git(workspace, 'commit', '--quiet', '-m', 'a submodule that is not checked out');
    await writeFile(path.join(workspace, '.gitignore'), '*.log\n');
    const names = Array.from({ length: 12 }, (_, index) => `${index + 10}.log`);
    let task = '';
    await using test = await delegating(
      [
        (request) => {
          task = JSON.stringify(request.messages[0]);
          return calls(
            ...[...names, 'lib/new.txt'].map((name) =>
              call('write_file', { path: name, content: 'x\n' }),
            ),
          );
        },
      ],
      'ask',
      folder,
    );
    const { sessionId } = await test.run('Go.');
    assert.match(task, /submodules[^\]]*not in your working copy[^\]]*: lib\.\]/u);
    const told = await resultOf(test, sessionId);
    assert.match(told, /in the workspace now: lib\/new\.txt\./u);
    for (const name of names.slice(0, 10))
      assert.match(told, new RegExp(`Not taken over: ${name}: git ignores it\\.`, 'u'));
    assert.match(told, /Not taken over: and 2 more/u);
    const [result] = (await test.messages(sessionId)).flatMap(toolResultsOf);
    const { rows } = shownDisplay(result?.display);
    assert.equal(rows[0]?.text, 'Not taken over: 10.log');
    assert.equal(rows[0]?.problem, 'git ignores it');
    assert.equal(rows.at(-1)?.text, 'Not taken over: 2 more');
  });

  const making = (): Turn => calls(call('run_command', { command: "sh -c 'touch made.txt'" }));

  it('B13: a question of a sub-agent waits for the person, who sees whose it is; the yes counts in its worktree', async () => {
    let heard = '';
    await using test = await delegating([
      making,
      async (request) => {
        heard = JSON.stringify(request.messages.at(-1));
        return say('Made.');
      },
    ]);
    const answer = Promise.withResolvers<object>();
    test.human.decide = async () => answer.promise;
    const sessionId = await test.start('Go.');
    await eventually(() => assert.equal(test.human.approvals.length, 1));
    const [question] = test.human.approvals;
    assert.equal(question?.sessionId, 'call_w');
    assert.match(question.where ?? '', /belay-agent/u, 'it says where');
    assert.equal(existsSync(path.join(test.workspace, 'made.txt')), false);
    answer.resolve({});
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.doesNotMatch(heard, /"is_error":true/u);
    assert.match(await resultOf(test, sessionId), /in the workspace now: made\.txt/u);
  });

  it('B13: a sub-agent that waits for a yes is stopped with its parent, and its question goes', async () => {
    await using test = await delegating([making]);
    let withdrawn = false;
    test.human.decide = async () => new Promise(() => undefined);
    const approve = test.human.approve.bind(test.human);
    test.human.approve = async (question, signal) => {
      signal.addEventListener('abort', () => (withdrawn = true));
      return approve(question, signal);
    };
    const sessionId = await test.start('Go.');
    await eventually(() => assert.equal(test.human.approvals.length, 1));
    test.engine.agent.runs.cancel(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'canceled');
    assert.ok(withdrawn);
    await eventually(() =>
      assert.doesNotMatch(git(test.workspace, 'worktree', 'list'), /belay-agent/u),
    );
  });

  it('C8: a process that ends while a sub-agent waits for a yes: it is asked again, once, and done once', async () => {
    const test = await delegating([making]);
    test.human.decide = async () => new Promise(() => undefined);
    const sessionId = await test.start('Go.');
    await eventually(() => assert.equal(test.human.approvals.length, 1));
    await test.close();
    await using again = await delegating([() => say('Made.')], 'ask', test.folder);
    await again.engine.agent.start();
    const handoff = await again.engine.agent.handoffs.of(sessionId);
    await again.engine.agent.handoffs.resume(handoff?.run.id ?? '', {});
    assert.equal((await again.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.deepEqual(
      again.human.approvals.map(({ tool }) => tool),
      ['run_command', 'write_agent'],
    );
    assert.match(await resultOf(again, sessionId), /in the workspace now: made\.txt/u);
  });

  it('C8: cut off in the middle, a writer goes on in its worktree, and its changes arrive once', async () => {
    const reached = Promise.withResolvers<undefined>();
    const test = await delegating([
      changing,
      async () => {
        reached.resolve(undefined);
        return say('never', { delayMs: 60_000 });
      },
    ]);
    const sessionId = await test.start('Go.');
    await reached.promise;
    await test.close();
    await using again = await delegating([() => say('Changed.')], 'ask', test.folder);
    await again.engine.agent.start();
    const handoff = await again.engine.agent.handoffs.of(sessionId);
    assert.deepEqual(handoff?.unknown, [], 'nobody needs to be asked');
    await again.engine.agent.handoffs.resume(handoff?.run.id ?? '', {});
    assert.equal((await again.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.match(await resultOf(again, sessionId), /Changed\..*workspace now: .*a\.txt/su);
    const text = await readFile(path.join(again.workspace, 'a.txt'), 'utf8');
    assert.equal(text.split('LINE').length, 3);
  });

  it('C8: what a writer had changed whose run is given up after a crash stays in its worktree', async () => {
    const reached = Promise.withResolvers<undefined>();
    const test = await delegating(
      [
        changing,
        async () => {
          reached.resolve(undefined);
          return say('never', { delayMs: 60_000 });
        },
      ],
      'edit',
    );
    const sessionId = await test.start('Go.');
    await reached.promise;
    // While it is at work nobody touches its worktree.
    await test.engine.settleAgents();
    const left = (): boolean => /belay-agent/u.test(git(test.workspace, 'worktree', 'list'));
    assert.ok(left());
    await test.close();
    await using again = await delegating([], 'edit', test.folder);
    await again.engine.agent.start();
    await again.engine.settleAgents();
    assert.ok(left(), 'it may still be gone on with');
    const { agent, reviews } = again.engine;
    const handoff = await agent.handoffs.of(sessionId);
    await agent.handoffs.discard(handoff?.run.id ?? '');
    await Promise.all([again.engine.settleAgents(), again.engine.settleAgents()]);
    await again.engine.settleAgents();
    assert.ok(left(), 'it holds work that did not arrive');
    assert.deepEqual(reviews?.pending, []);
    const at = path.join(again.workspace, 'a.txt');
    assert.equal(await readFile(at, 'utf8'), LINES);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type RestorePreview, isRestorable } from '../../src/core/restore/agent-changes.ts';
import type { Decision } from '../../src/core/review/service/decisions.ts';
import type { Reviews } from '../../src/core/review/service/reviews.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');
const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const EDITED = BEFORE.replace('two', 'TWO');

describe('what the user does while a command of the agent runs', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let snapshots: NodeWorkspaceSnapshots;
  let storage: string;
  let sessionId: string;

  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const textAt = (name: string): string => readFileSync(at(name), 'utf8');
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: test.workspace,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_SYSTEM: os.devNull },
    });
  const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await is()); tries += 1) {
      assert.ok(tries < 2000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const reviews = (): Reviews => test.engine.reviews ?? assert.fail();
  const pending = (): readonly string[] =>
    reviews().pending.map((review) => path.relative(at('.'), review.path));

  /**
   * The agent edits a file, makes one and runs a command that makes one. While that runs, the user saves a line in the
   * edited file, makes a file and checks out a branch in which another one is different.
   */
  const work = async (background: boolean): Promise<void> => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-work-')));
    snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    const command = `touch ${storage}/up; while [ ! -e ${storage}/go ]; do sleep 0.05; done; echo built > built.txt`;
    const edits = [{ old_string: 'two', new_string: 'TWO' }];
    test = await TestEngine.open({
      files: { 'a.txt': BEFORE, 'branch.txt': 'main\n' },
      settings: { 'permissions.mode': 'auto' },
      host: { snapshots, reviewed: true },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(
          call('edit_file', { path: 'a.txt', edits }),
          call('write_file', { path: 'made.txt', content: 'made\n' }),
        ),
        calls(call('run_command', { command, background })),
        say('Done.'),
      ),
    });
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
    git('checkout', '--quiet', '-b', 'other');
    await writeFile(at('branch.txt'), 'other\n');
    git('commit', '--quiet', '--all', '--message', 'second');
    git('checkout', '--quiet', 'main');

    const running = test.run('Go');
    await until(() => existsSync(path.join(storage, 'up')));
    if (background) {
      await running;
      await until(async () => ((await test.engine.beside?.seams()) ?? []).length > 0);
    }
    await appendFile(at('a.txt'), 'mine\n');
    await writeFile(at('mine.txt'), 'my own\n');
    git('checkout', '--quiet', 'other');
    await writeFile(path.join(storage, 'go'), '');
    ({ sessionId } = await running);
    // A background command's changes arrive in several parts.
    const groups = () => test.engine.groups?.stored.all ?? [];
    await until(() => groups().some(({ paths }) => paths.includes(at('built.txt'))));
    await test.engine.beside?.settled();
  };

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  const decideAll = async (decision: Decision): Promise<readonly unknown[]> => {
    const all = reviews().pending.map((review) => ({ path: review.path }));
    const { done, failed } = await reviews().decisions.decide(decision, all);
    return [done, failed];
  };
  const preview = async (): Promise<readonly RestorePreview[]> => {
    const [target] = await test.engine.restore.targets(sessionId);
    assert.ok(target !== undefined);
    return test.engine.restore.preview(target.records, target.checkpoint);
  };
  const restore = async (previews: readonly RestorePreview[]): Promise<void> => {
    const [target] = await test.engine.restore.targets(sessionId);
    assert.ok(target !== undefined);
    await test.engine.restore.restore({ target, what: 'files', previews });
  };
  const assertUsersWork = (): void => {
    assert.equal(textAt('mine.txt'), 'my own\n');
    assert.equal(textAt('branch.txt'), 'other\n');
    assert.match(textAt('a.txt'), /^mine$/mu);
  };

  for (const background of [false, true]) {
    const where = background ? 'in the background' : 'in the foreground';

    it(`${where} stays when everything is undone, which takes back the agent's own edits`, async () => {
      await work(background);
      assert.deepEqual(pending(), ['a.txt', 'made.txt']);
      assert.deepEqual(await decideAll('undo'), [2, []]);
      assertUsersWork();
      assert.equal(textAt('a.txt'), `${BEFORE}mine\n`);
      assert.equal(existsSync(at('made.txt')), false);
      assert.equal(textAt('built.txt'), 'built\n');
    });

    it(`${where} stays when files are restored, is counted, and can be chosen file by file`, async () => {
      await work(background);
      const found = await preview();
      assert.deepEqual(found.map((one) => `${one.path} ${one.outcome}`).toSorted(), [
        'a.txt commands',
        'branch.txt commands',
        'built.txt commands',
        'made.txt restored',
        'mine.txt commands',
      ]);
      await restore(found.filter(isRestorable));
      assertUsersWork();
      assert.equal(textAt('a.txt'), `${EDITED}mine\n`);
      assert.equal(existsSync(at('made.txt')), false);
      const redoable = await test.engine.redo.redoable(sessionId);
      await test.engine.redo.redo(sessionId, redoable?.previews ?? []);
      assert.equal(textAt('made.txt'), 'made\n');
      await restore((await preview()).filter(({ path: name }) => name === 'built.txt'));
      assert.equal(existsSync(at('built.txt')), false);
      assertUsersWork();
    });
  }
});

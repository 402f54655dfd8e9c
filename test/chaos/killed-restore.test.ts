import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { textOf } from '../../src/domain/message.ts';
import type { RestoreWhat } from '../../src/core/restore/restore-values.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const edit = (from: string, to: string) =>
  call('edit_file', { path: 'a.txt', edits: [{ old_string: from, new_string: to }] });
const BEFORE = 'one\nTWO\nthree\n';
const AFTER = 'one\nTWO\nTHREE\n';
const ALL = ['First', 'First done.', 'Second', 'Second done.'];

const storeWorker = workerFile('store/worker.ts');
const snapshotWorker = workerFile('hosts/node/workspace-snapshots/worker.ts');

describe('a restore of a conversation in the middle of which the process is killed', function () {
  this.timeout(300_000);
  let folder: string;
  let sessionId: string;
  /** What was there before the restore, as the person and the model know it. */
  let original: object;
  let opened = 0;
  const live = (): string => path.join(folder, 'live');
  const child = (): string => path.join(folder, 'child.mjs');
  const file = (): string => path.join(live(), 'workspace/a.txt');

  async function inWindow<Value>(
    work: (test: TestEngine) => Promise<Value>,
    script = inOrder(),
  ): Promise<Value> {
    opened += 1;
    const snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(live(), 'snapshots'),
      name: `window-${opened}`,
      worker: snapshotWorker,
      without: [],
      environment: {},
    });
    const host = { snapshots, storeWorker };
    const test = await TestEngine.open({ script, after: { folder: live() }, host });
    try {
      return await work(test);
    } finally {
      await test.close();
      snapshots.dispose();
    }
  }

  const whole = async ({ engine }: TestEngine): Promise<object> => ({
    messages: await engine.store.transcripts.messages({ sessionId }),
    compactions: await engine.store.transcripts.compactions(sessionId),
  });
  const texts = async (test: TestEngine): Promise<readonly string[]> =>
    (await test.messages(sessionId))
      .filter(({ origin, role }) => origin !== 'environment' && role !== 'tool')
      .map(textOf)
      .filter((text) => text !== '');

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-killed-')));
    // As a single file it starts many times as fast, and it is started often.
    await build({
      entryPoints: [fileURLToPath(new URL('restore-and-die.ts', import.meta.url))],
      outfile: child(),
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
    await inWindow(
      async (test) => {
        writeFileSync(file(), 'one\ntwo\nthree\n');
        ({ sessionId } = await test.run('First'));
        await test.engine.agent.send(sessionId, { text: 'Second' });
        await test.engine.agent.runs.settled(sessionId);
        assert.deepEqual(await texts(test), ALL);
        original = await whole(test);
      },
      inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(edit('two', 'TWO')),
        say('First done.'),
        calls(edit('three', 'THREE')),
        say('Second done.'),
      ),
    );
    assert.equal(readFileSync(file(), 'utf8'), AFTER);
    cpSync(live(), path.join(folder, 'template'), { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns messages to the threads; `undefined`: it was killed */
  async function restored(what: RestoreWhat, die: number): Promise<number | undefined> {
    rmSync(live(), { recursive: true, force: true });
    cpSync(path.join(folder, 'template'), live(), { recursive: true });
    const workers = [storeWorker, snapshotWorker].map((worker) => fileURLToPath(worker));
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [child(), live(), sessionId, what, String(die), ...workers],
        (error, stdout, stderr) => {
          if (error === null) resolve(Number(stdout));
          else if (error.signal === 'SIGKILL') resolve(undefined);
          else reject(new Error(stderr));
        },
      );
    });
  }

  /** Which of both was done, and that the way back from there is exact. */
  async function outcome(test: TestEngine, what: RestoreWhat): Promise<string> {
    const { engine } = test;
    await engine.changes?.recover();
    await engine.agent.handoffs.reconcile();
    const text = readFileSync(file(), 'utf8');
    const said = await texts(test);
    const isTaken = said.length === 2;
    if (isTaken) assert.deepEqual(said, ALL.slice(0, 2));
    else assert.deepEqual(await whole(test), original);
    assert.ok(text === BEFORE || text === AFTER, text);
    const isBack = text === BEFORE;
    if (what === 'conversation') assert.equal(isBack, false);
    else assert.ok(isBack || !isTaken, 'the files go first');
    const redoable = await engine.redo.redoable(sessionId);
    assert.equal(redoable !== undefined, isTaken || isBack, 'what was done can be undone');
    if (redoable !== undefined) await engine.redo.redo(sessionId, redoable.previews);
    assert.equal(readFileSync(file(), 'utf8'), AFTER);
    assert.deepEqual(await whole(test), original);
    return `${isBack ? 'files' : ''} ${isTaken ? 'conversation' : ''}`.trim();
  }

  for (const [what, ends] of [
    ['conversation', ['', 'conversation']],
    ['both', ['', 'files', 'files conversation']],
  ] as const)
    it(`${what}: everything is as before or as wished, the files first, and redo is exact`, async () => {
      const messages = await restored(what, 0);
      assert.ok(messages !== undefined && messages > 3);
      const found = new Set([await inWindow((test) => outcome(test, what))]);
      let kills = 0;
      // By turns before a message, and while a thread works on it.
      for (let message = 1; message <= messages; message += 1) {
        const die = 2 * message - (message % 2);
        kills += (await restored(what, die)) === undefined ? 1 : 0;
        found.add(await inWindow((test) => outcome(test, what)));
      }
      assert.ok(kills >= messages - 1, `killed ${kills} times`);
      assert.deepEqual([...found].toSorted(), [...ends]);
    });
});

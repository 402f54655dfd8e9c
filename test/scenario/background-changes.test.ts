import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BackgroundCommand } from '../../src/core/background/background-command.ts';
import type { WriteOptions } from '../../src/core/ports/files/file-system.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews } from '../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

/** Another program writes a file in the moment after it was written: before anybody can look at it. */
class WrittenBehind extends NodeFileSystem {
  readonly #other: (text: string) => string;

  constructor(other: (text: string) => string) {
    super();
    this.#other = other;
  }

  override async write(file: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    await super.write(file, content, options);
    if (options?.origin !== undefined)
      writeFileSync(file, this.#other(Buffer.from(content).toString()));
  }
}

type Turns = readonly ReturnType<typeof say>[];

describe('what changes while a command runs in the background', function () {
  this.timeout(60_000);

  const FILES = {
    'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n',
    'b.txt': 'b\n',
    '.gitignore': 'out\n',
  };
  /** Says that it is up, and does its work when it is told to. */
  const waiting = (work: string): string =>
    `echo ready on 1; while [ ! -e out/go ]; do sleep 0.05; done; ${work}`;
  const started = (command: string) => calls(call('run_command', { command, background: true }));

  const EDIT = { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'TWO' }] };
  const PATCH = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';

  let snapshots: NodeWorkspaceSnapshots[] = [];
  let storage: string;
  let tests: TestEngine[] = [];
  beforeEach(() => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-beside-')));
  });
  afterEach(async () => {
    for (const test of tests) await test.close();
    for (const test of tests.toReversed()) await test[Symbol.asyncDispose]();
    for (const one of snapshots) one.dispose();
    [tests, snapshots] = [[], []];
    rmSync(storage, { recursive: true, force: true });
  });

  /** The model answers its third request when the workspace is known that all later changes are held against. */
  const opened = async (
    script: Turns,
    after?: TestEngine,
    files = new NodeFileSystem(),
  ): Promise<TestEngine> => {
    const answers = inOrder(...script);
    const own = new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: `test-${snapshots.length}`,
      worker,
      without: [],
      environment: {},
    });
    snapshots.push(own);
    const test: TestEngine = await TestEngine.open({
      files: after === undefined ? { ...FILES, 'out/keep': '' } : {},
      settings: { 'permissions.mode': 'auto' },
      host: { snapshots: own, reviewed: true, files },
      script: async (request, n) => {
        if (n === 3) await known(test);
        return answers(request, n);
      },
      ...(after === undefined ? {} : { after }),
    });
    tests.push(test);
    return test;
  };
  const at = (test: TestEngine, name: string): string =>
    path.join(realpathSync(test.workspace), name);
  const reviewsOf = (test: TestEngine): Reviews => test.engine.reviews ?? assert.fail();
  const go = (test: TestEngine): void => writeFileSync(at(test, 'out/go'), '');
  const commandOf = (test: TestEngine, sessionId: string): BackgroundCommand =>
    test.engine.commands.background?.list(sessionId)[0] ?? assert.fail();
  const until = async (is: () => boolean | Promise<boolean>, what: string): Promise<void> => {
    for (let tries = 0; !(await is()); tries += 1) {
      assert.ok(tries < 1000, what);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /**
   * A run that starts the command. The call waits at most a second for the look at the workspace that all later changes
   * are held against; the tests wait until it is there.
   */
  const begun = async (test: TestEngine): Promise<{ readonly sessionId: string }> => {
    const run = await test.run('Begin');
    await known(test);
    return run;
  };
  const known = ({ engine: { beside } }: TestEngine): Promise<void> =>
    until(
      async () => beside === undefined || (await beside.seams()).length > 0,
      'the workspace is known',
    );
  const ended = async (test: TestEngine, sessionId: string): Promise<void> => {
    await until(() => !commandOf(test, sessionId).running, 'it ends');
    const { beside } = test.engine;
    const isOver = async (): Promise<boolean> => (await beside?.seams())?.length === 0;
    await until(isOver, 'what it changed is on record');
    await beside?.settled();
  };
  const pending = (test: TestEngine): readonly string[] =>
    reviewsOf(test).pending.flatMap((review) =>
      hunksOf(review).map(({ kind, removed, added, by }) => {
        const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
        const authors = by.map((one) => one.by);
        const name = path.relative(at(test, '.'), review.path);
        return `${name} ${kind === 'change' ? lines.join(' ') : kind} [${authors.join()}]`;
      }),
    );
  /** The files that are listed with each command, the oldest first; `while`: it ran in the background. */
  const listed = (test: TestEngine): readonly string[] =>
    (test.engine.groups?.stored.all ?? []).map(({ since, paths }) => {
      const names = paths.map((one) => path.relative(at(test, '.'), one)).toSorted();
      return [...names, ...(since === undefined ? [] : ['[while]'])].join(' ');
    });
  /** Restores all files, also those that changed while commands ran, as when the user chooses each of them. */
  const restored = async (test: TestEngine, sessionId: string, text: string): Promise<void> => {
    const { restore } = test.engine;
    assert.ok(restore !== undefined);
    const targets = await restore.targets(sessionId);
    const target = targets.find(({ message }) => JSON.stringify(message.parts).includes(text));
    assert.ok(target !== undefined);
    const previews = await restore.preview(target.records);
    await restore.restore({ target, what: 'files', previews });
  };

  it('after its call and its run had ended is listed with that command, and goes back when it is chosen', async () => {
    const test = await opened([
      started(waiting('sed -i s/four/FOUR/ a.txt; rm b.txt; echo n > n.txt; echo x > out/x')),
      say('It runs.'),
    ]);
    const { sessionId } = await begun(test);
    assert.deepEqual(pending(test), []);
    go(test);
    await ended(test, sessionId);
    assert.deepEqual(listed(test), ['a.txt b.txt n.txt [while]']);
    assert.deepEqual(pending(test), []);
    const [group] = test.engine.groups?.stored.all ?? [];
    assert.equal(group?.sessionId, sessionId);
    assert.match(group.line, /^echo ready on 1/u);
    await restored(test, sessionId, 'Begin');
    assert.equal(await readFile(at(test, 'a.txt'), 'utf8'), FILES['a.txt']);
    assert.equal(await readFile(at(test, 'b.txt'), 'utf8'), 'b\n');
    await assert.rejects(readFile(at(test, 'n.txt')));
  });

  it('is told apart from what the calls beside it do', async () => {
    const wait = 'while [ ! -e out/done ]; do sleep 0.05; done';
    const edit = { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'TWO' }] };
    const test = await opened([
      started(waiting('sed -i "s/four/FOUR/" a.txt; echo > out/done; sleep 600')),
      calls(call('read_file', { files: [{ path: 'a.txt' }] })),
      calls(call('edit_file', edit)),
      calls(call('run_command', { command: 'echo own > own.txt; mkdir -p out; touch out/go' })),
      calls(call('read_file', { files: [{ path: 'b.txt' }] })),
      say('Waiting.'),
      calls(call('run_command', { command: wait })),
      say('Done.'),
    ]);
    const { sessionId } = await begun(test);
    await until(() => commandOf(test, sessionId).running, 'it runs');
    await test.engine.agent.send(sessionId, { text: 'Go on' });
    await test.engine.agent.runs.settled(sessionId);
    await test.engine.beside?.look();
    assert.deepEqual(pending(test), ['a.txt -two +TWO [agent]']);
    assert.match(listed(test).join(), /own\.txt(?:,|$)/u);
    assert.match(listed(test).join(), /a\.txt/u);
  });

  it('a formatter that watches has its changes beside those of the edit', async () => {
    const edit = { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'TWO' }] };
    const test = await opened([
      started(
        'echo ready on 1; while ! grep -q TWO a.txt; do sleep 0.05; done; sed -i s/six/SIX/ a.txt',
      ),
      calls(call('read_file', { files: [{ path: 'a.txt' }] })),
      calls(call('edit_file', edit)),
      say('Done.'),
    ]);
    const { sessionId } = await test.run('Begin');
    await ended(test, sessionId);
    assert.deepEqual(pending(test), ['a.txt -two +TWO [agent]']);
    assert.deepEqual(listed(test), ['a.txt [while]']);
    await restored(test, sessionId, 'Begin');
    assert.equal(await readFile(at(test, 'a.txt'), 'utf8'), FILES['a.txt']);
  });

  for (const [what, edit] of [
    ['an edit', call('edit_file', EDIT)],
    ['a patch', call('apply_patch', { patch: PATCH })],
  ] as const)
    it(`what another program writes right behind the write of ${what} is no part of it`, async () => {
      const files = new WrittenBehind((text) => text.replace('six', 'SIX'));
      const script = [
        started(waiting('true')),
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(edit),
        say('Done.'),
      ];
      const test = await opened(script, undefined, files);
      const { sessionId } = await test.run('Begin');
      const [record] = (await test.engine.changes?.list(sessionId)) ?? [];
      assert.ok(record !== undefined);
      const [after] = record.folders.flatMap(({ changes }) => changes.map((one) => one.after));
      const leaf = await snapshots[0]?.contentOf(after ?? assert.fail());
      assert.equal(leaf?.kind, 'file');
      assert.equal(Buffer.from(leaf.bytes).toString(), FILES['a.txt'].replace('two', 'TWO'));
      assert.match(textNow(at(test, 'a.txt')), /TWO[^]*SIX/u);
      go(test);
      await ended(test, sessionId);
      assert.deepEqual(pending(test), ['a.txt -two +TWO [agent]']);
      assert.deepEqual(listed(test), ['a.txt [while]']);
      await restored(test, sessionId, 'Begin');
      assert.equal(textNow(at(test, 'a.txt')), FILES['a.txt']);
    });

  it('what another program writes right behind an edit, while no command runs, stays when that is taken back', async () => {
    const files = new WrittenBehind((text) => text.replace('six', 'SIX'));
    const script = [
      calls(call('read_file', { files: [{ path: 'a.txt' }] }), call('edit_file', EDIT)),
      say('Done.'),
    ];
    const test = await opened(script, undefined, files);
    const { sessionId } = await test.run('Begin');
    await reviewsOf(test).files.fileChanged(at(test, 'a.txt'));
    assert.deepEqual(pending(test), ['a.txt -two +TWO [agent]']);
    await restored(test, sessionId, 'Begin');
    assert.equal(textNow(at(test, 'a.txt')), FILES['a.txt'].replace('six', 'SIX'));
  });

  it('what the person typed or saved meanwhile is theirs, and Restore leaves it', async () => {
    const test = await opened([
      started(waiting('sed -i s/four/FOUR/ a.txt; echo c > c.txt')),
      say('It runs.'),
    ]);
    const { sessionId } = await begun(test);
    await appendFile(at(test, 'a.txt'), 'mine\n');
    reviewsOf(test).files.userEdits.noteEdit(at(test, 'a.txt'));
    await reviewsOf(test).files.fileChanged(at(test, 'a.txt'));
    go(test);
    await ended(test, sessionId);
    assert.deepEqual(listed(test), ['c.txt [while]']);
    await restored(test, sessionId, 'Begin');
    assert.match(await readFile(at(test, 'a.txt'), 'utf8'), /mine\n$/u);
    await assert.rejects(readFile(at(test, 'c.txt')));
  });

  it('of a thousand files each is listed, and all go back when they are chosen', async () => {
    const test = await opened([
      started(waiting('for i in $(seq 1000); do echo $i > n$i.txt; done')),
      say('It runs.'),
    ]);
    const { sessionId } = await begun(test);
    go(test);
    await ended(test, sessionId);
    const [group] = test.engine.groups?.stored.all ?? [];
    assert.deepEqual([group?.total, group?.paths.length], [1000, 1000]);
    await restored(test, sessionId, 'Begin');
    await assert.rejects(readFile(at(test, 'n1.txt')));
    await assert.rejects(readFile(at(test, 'n1000.txt')));
  });

  it('goes back with the message it followed, and stays with those before', async () => {
    const work =
      'echo 1 > first.txt; echo > out/one; while [ ! -e out/two ]; do sleep 0.05; done; echo 2 > second.txt';
    const test = await opened([started(waiting(work)), say('It runs.'), say('Yes.')]);
    const { sessionId } = await begun(test);
    go(test);
    await until(() => {
      try {
        return realpathSync(at(test, 'out/one')) !== '';
      } catch {
        return false;
      }
    }, 'the first is there');
    await test.engine.agent.send(sessionId, { text: 'Another question' });
    await test.engine.agent.runs.settled(sessionId);
    await test.engine.beside?.settled();
    writeFileSync(at(test, 'out/two'), '');
    await ended(test, sessionId);
    assert.deepEqual(listed(test), ['first.txt [while]', 'second.txt [while]']);
    await restored(test, sessionId, 'Another question');
    assert.equal(await readFile(at(test, 'first.txt'), 'utf8'), '1\n');
    await assert.rejects(readFile(at(test, 'second.txt')));
    await restored(test, sessionId, 'Begin');
    await assert.rejects(readFile(at(test, 'first.txt')));
  });

  it('up to its end with the window is on record at the next start', async () => {
    const test = await opened([
      started(waiting('echo more >> a.txt; echo > out/done; sleep 600')),
      say('It runs.'),
    ]);
    const { sessionId } = await begun(test);
    go(test);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await test.close();
    const again = await opened([], test);
    assert.deepEqual(listed(again), ['a.txt [while]']);
    await restored(again, sessionId, 'Begin');
    assert.equal(await readFile(at(again, 'a.txt'), 'utf8'), FILES['a.txt']);
  });

  it('until a crash is listed at the next start, when the command was found running', async () => {
    const test = await opened([
      started(waiting('echo more >> a.txt; exec sleep 600')),
      say('It runs.'),
    ]);
    const { sessionId } = await begun(test);
    const again = await diedWith(test, async () => {
      go(test);
      await until(() => textNow(at(test, 'a.txt')).includes('more'), 'it wrote');
      const [record] = await test.engine.store.values.list('background/');
      assert.ok(record !== undefined);
      const owner = { pid: 1, birth: 'long ago' };
      await test.engine.store.values.set(record.key, { ...(record.value as object), owner });
    });
    assert.deepEqual(listed(again), ['a.txt [while]']);
    await restored(again, sessionId, 'Begin');
    assert.equal(textNow(at(again, 'a.txt')), FILES['a.txt']);
  });

  it('until a crash that it died with is listed; what was changed later is not', async () => {
    const test = await opened([started(waiting('echo more >> a.txt; rm b.txt')), say('It runs.')]);
    const { sessionId } = await begun(test);
    const again = await diedWith(test, async () => {
      go(test);
      await until(() => !commandOf(test, sessionId).running, 'it ends');
      const { values } = test.engine.store;
      await until(
        async () => (await values.list('background/')).length === 0,
        'its end is on record',
      );
      const later = Date.now() / 1000 + 600;
      mkdirSync(at(test, 'pulled'));
      writeFileSync(at(test, 'pulled/later.txt'), 'by git\n');
      utimesSync(at(test, 'pulled/later.txt'), later, later);
    });
    assert.deepEqual(listed(again), ['a.txt b.txt [while]']);
  });

  /** A process that looks at nothing any more, and the next one. */
  const diedWith = async (test: TestEngine, last: () => Promise<void>): Promise<TestEngine> => {
    const { values } = test.engine.store;
    let seams = await values.list('background-seam/');
    for (let tries = 0; tries < 300 && seams.length === 0; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seams = await values.list('background-seam/');
    }
    assert.equal(seams.length, 1);
    test.engine.beside?.dispose();
    await last();
    const again = await opened([], test);
    const left = async () => again.engine.store.values.list('background-seam/');
    for (let tries = 0; tries < 300 && (await left()).length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await left(), []);
    return again;
  };
});

const textNow = (file: string): string => readFileSync(file, 'utf8');

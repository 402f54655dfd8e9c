import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews } from '../../src/core/review/service/reviews.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

describe('what commands change is reviewed', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let snapshots: NodeWorkspaceSnapshots;
  let storage: string;

  const open = async (
    command: string,
    files: Readonly<Record<string, string>>,
    mode = 'auto',
  ): Promise<void> => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-commands-')));
    snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    test = await TestEngine.open({
      files,
      settings: { 'permissions.mode': mode },
      host: { snapshots, reviewed: true },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(
          call('edit_file', { path: 'a.txt', edits: [{ old_string: 'two', new_string: 'TWO' }] }),
        ),
        calls(call('run_command', { command })),
        say('Done.'),
      ),
    });
  };
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  const reviews = (): Reviews => {
    assert.ok(test.engine.reviews !== undefined);
    return test.engine.reviews;
  };
  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const textAt = (name: string): Promise<string> => readFile(at(name), 'utf8');
  /** `a.txt -old +new [run]`, with what the hunks' authors are. */
  const pending = (): readonly string[] =>
    reviews().pending.flatMap((review) =>
      hunksOf(review).map((hunk) => {
        const lines = [
          ...hunk.removed.map((line) => `-${line}`),
          ...hunk.added.map((line) => `+${line}`),
        ];
        const authors = hunk.by.map(({ by, tool }) => `${by}:${tool.slice(0, 12)}`);
        const name = path.relative(at('.'), review.path);
        return `${name} ${hunk.kind === 'change' ? lines.join(' ') : hunk.kind} [${authors.join()}]`;
      }),
    );

  /** Runs to the end, and until so many changes are pending: the run waits at most a second for that. */
  const run = async (changes: number): Promise<void> => {
    await test.run('Go');
    for (let tries = 0; tries < 1000 && pending().length < changes; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };

  const command = String.raw`sed -i s/four/FOUR/ a.txt; rm b.txt; mkdir -p made; printf 'n\n' > made/n.txt; printf '\0\1' > i.bin; mkdir -p out; echo x > out/ignored.txt; chmod +x c.sh`;
  const files = {
    'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n',
    'b.txt': 'b\r\n',
    'c.sh': 'c\n',
    'i.bin': '\0old',
    '.gitignore': 'out\n',
  };

  it('with the command line, beside what the agent edited; bulk decisions leave it, and it comes back when its file is undone', async () => {
    await open(command, files);
    await run(4);
    assert.deepEqual(pending(), [
      'a.txt -two +TWO [agent:edit_file]',
      'b.txt delete [command:sed -i s/fou]',
      'i.bin binary [command:sed -i s/fou]',
      'made/n.txt create [command:sed -i s/fou]',
    ]);
    // Contents that pending changes need are not swept away with what is forgotten.
    await test.engine.checkpoints?.storage.cleanUp({ kind: 'older', days: -1 });
    const rest = reviews().pending.map((review) => ({ path: review.path }));
    const { done, left, failed } = await reviews().decisions.decide('reject', rest);
    assert.deepEqual([done, left, failed], [1, 3, []]);
    assert.equal(await textAt('a.txt'), files['a.txt'].replace('four', 'FOUR'));
    assert.deepEqual(
      reviews().pending.map((review) => path.relative(at('.'), review.path)),
      ['b.txt', 'i.bin', 'made/n.txt'],
    );
    for (const review of reviews().pending) await reviews().decisions.reject({ path: review.path });
    assert.equal(await textAt('b.txt'), 'b\r\n');
    assert.equal(await textAt('i.bin'), '\0old');
    assert.deepEqual(reviews().records.unlisted.all, []);
  });

  it('what the person typed or saved meanwhile is theirs, whatever the command did', async () => {
    await open('sed -i s/four/FOUR/ a.txt; echo x > b.txt; echo done', files);
    test.engine.broker.listen((event) => {
      if (event.type === 'tool.output') reviews().files.personEdits.touched(at('b.txt'));
    });
    await run(1);
    assert.deepEqual(pending(), ['a.txt -two +TWO [agent:edit_file]']);
  });

  it('what is too much is named in a note', async () => {
    await open(
      'for i in $(seq 205); do echo $i > n$i.txt; done; head -c 1100000 /dev/zero | tr "\\0" x > 0.txt; ln -s b.txt l',
      files,
    );
    let told = 0;
    const noted = Promise.withResolvers<void>();
    reviews().records.unlisted.onChange(() => {
      told += 1;
      noted.resolve();
    });
    await run(201);
    await noted.promise;
    assert.equal(reviews().pending.length, 201);
    const [note] = reviews().records.unlisted.all;
    assert.equal(note?.total, 7);
    assert.ok(note.paths.includes(at('0.txt')) && note.paths.includes(at('l')));
    assert.match(note.tool, /^for i in/u);
    assert.equal(told, 1);
    reviews().records.unlisted.dismiss();
    assert.deepEqual([reviews().records.unlisted.all, told], [[], 2]);
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LeafRecord } from '../../src/core/ports/files/workspace-snapshots.ts';
import { BelayError } from '../../src/domain/failure.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { DAMAGES } from '../support/damages.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

describe('files of the snapshots of a workspace are damaged, one at a time', function () {
  this.timeout(120_000);
  let folder: string;
  let root: string;
  let kept: string;
  let files: readonly string[];
  let records: readonly (LeafRecord | undefined)[];
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const textOf = (name: string): string => `${name} as it was\n`.repeat(20);
  const opened = (storage: string): NodeWorkspaceSnapshots =>
    new NodeWorkspaceSnapshots({
      folder: storage,
      name: 'test',
      worker,
      without: [],
      environment: {},
    });

  before(async () => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-damaged-snapshots-')));
    root = path.join(folder, 'workspace');
    kept = path.join(folder, 'kept');
    fs.mkdirSync(root);
    for (const name of names) fs.writeFileSync(path.join(root, name), textOf(name));
    const snapshots = opened(kept);
    await snapshots.take([root]);
    records = await snapshots.keep(root, names);
    fs.writeFileSync(path.join(root, 'a.txt'), 'changed\n');
    await snapshots.take([root]);
    snapshots.dispose();
    // The sign of its owner goes when the thread has ended.
    while (fs.existsSync(path.join(kept, 'test.owner')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    files = fs
      .readdirSync(kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(kept, path.join(entry.parentPath, entry.name)));
    assert.ok(files.length > 0);
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  for (const { name, harm, forOthers } of DAMAGES) {
    if (forOthers === true) continue;
    it(`${name}: what was kept is given as it was or not at all, and the next snapshots are whole`, async () => {
      for (const file of files) {
        const storage = path.join(folder, 'harmed');
        fs.rmSync(storage, { recursive: true, force: true });
        fs.cpSync(kept, storage, { recursive: true });
        harm(path.join(storage, file));
        const snapshots = opened(storage);
        try {
          for (const [index, record] of records.entries()) {
            assert.ok(record !== undefined);
            const leaf = await snapshots.contentOf(record).catch((thrown: unknown) => {
              assert.ok(thrown instanceof BelayError, `${file}: ${String(thrown)}`);
            });
            if (leaf?.kind === 'file')
              assert.equal(Buffer.from(leaf.bytes).toString(), textOf(names[index] ?? ''), file);
          }
          fs.writeFileSync(path.join(root, 'b.txt'), textOf('b.txt'));
          const before = await snapshots.take([root]);
          fs.writeFileSync(path.join(root, 'b.txt'), 'b changed\n');
          const [changed] = await snapshots.changes(before, await snapshots.take([root]));
          assert.deepEqual(
            changed?.changes.map((change) => change.path),
            ['b.txt'],
            file,
          );
          const was = changed?.changes[0]?.before;
          assert.ok(was !== undefined);
          const leaf = await snapshots.contentOf(was);
          assert.equal(
            leaf.kind === 'file' && Buffer.from(leaf.bytes).toString(),
            textOf('b.txt'),
            file,
          );
        } finally {
          snapshots.dispose();
        }
      }
    });
  }
});

import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Snapshooter } from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import type {
  FolderSnapshot,
  SnapshotRules,
} from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import { compareTrees, objectsOf } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';

const RULES: SnapshotRules = {
  largestFile: 10_000,
  mostFiles: 10_000,
  without: [],
  including: [],
  environment: {},
};
/** Files: enough for what is known of them to be worth writing down. */
const FILES = 250;

describe('a window that opens on a workspace with snapshots', () => {
  let folder: string;
  let ws: string;
  let first: FolderSnapshot;
  let windows = 0;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-known-')));
    ws = path.join(folder, 'ws');
    for (let file = 0; file < FILES; file += 1) {
      const at = path.join(ws, `part-${file % 5}`);
      mkdirSync(at, { recursive: true });
      writeFileSync(path.join(at, `${file}.txt`), `${file}\n`);
    }
    // A file that has changed this very moment is always read again.
    await delay(100);
    first = await inNewWindow();
    assert.equal(first.read, FILES);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const storage = (): string => path.join(folder, 'objects');
  async function inNewWindow(
    look?: (objects: ObjectStore) => void,
    rules = RULES,
  ): Promise<FolderSnapshot> {
    windows += 1;
    const objects = new ObjectStore(storage(), `window-${windows}`);
    try {
      const snapshot = await new Snapshooter(objects, storage()).take(ws, rules);
      look?.(objects);
      return snapshot;
    } finally {
      objects.close();
    }
  }

  it('reads only what has changed meanwhile, also when size and time are as they were', async () => {
    const again = await inNewWindow();
    assert.deepEqual([again.read, again.tree], [0, first.tree]);
    const file = path.join(ws, 'part-1/1.txt');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'x\n');
    utimesSync(file, atime, mtime);
    writeFileSync(path.join(ws, 'part-2/new.txt'), 'new\n');
    const later = await inNewWindow((objects) => {
      const changed = compareTrees(objects, first.tree, again.tree);
      assert.deepEqual(changed, []);
    });
    assert.equal(later.read, 2);
    await inNewWindow((objects) =>
      assert.deepEqual(
        compareTrees(objects, first.tree, later.tree).map((change) => change.path),
        ['part-1/1.txt', 'part-2/new.txt'],
      ),
    );
  });

  it('judges names anew when the rules are others', async () => {
    writeFileSync(path.join(ws, '.gitignore'), '1.txt\n');
    let held: string[] = [];
    const later = await inNewWindow(() => undefined);
    await inNewWindow((objects) => {
      held = compareTrees(objects, undefined, later.tree).map((change) => change.path);
    });
    assert.equal(held.length, FILES);
    assert.ok(!held.includes('part-1/1.txt') && held.includes('.gitignore'));
  });

  it('judges names anew when other folders are left out', async () => {
    const without = [path.join(ws, 'part-1')];
    const later = await inNewWindow(undefined, { ...RULES, without });
    assert.equal(later.files, FILES - FILES / 5);
    assert.equal((await inNewWindow()).files, FILES);
  });

  it('reads and stores everything again when the objects were swept away', async () => {
    windows += 1;
    const objects = new ObjectStore(storage(), `window-${windows}`);
    objects.sweep(new Set());
    objects.close();
    const later = await inNewWindow((stored) =>
      assert.ok(objectsOf(stored, first.tree).size >= FILES),
    );
    assert.deepEqual([later.read, later.tree], [FILES, first.tree]);
  });

  it('believes no file of the known that is damaged, cut off or of something else', async () => {
    const name = readdirSync(storage()).find((one) => one.endsWith('.known')) ?? '';
    const file = path.join(storage(), name);
    const whole = readFileSync(file);
    const flipped = Buffer.from(whole);
    flipped[200] = (flipped[200] ?? 0) ^ 1;
    const text = inflateRawSync(whole.subarray(32)).toString('utf8');
    const other = deflateRawSync(text.replace('"1.txt","in",[2,', '"1.txt","in",[3,'));
    const damages = [
      () => writeFileSync(file, Buffer.concat([whole.subarray(0, 32), other])),
      () => writeFileSync(file, flipped),
      () => truncateSync(file, whole.length - 1),
      () => writeFileSync(file, ''),
      () => writeFileSync(file, 'something else'),
    ];
    for (const damage of damages) {
      damage();
      const later = await inNewWindow();
      assert.deepEqual([later.read, later.tree], [FILES, first.tree]);
      assert.deepEqual(readFileSync(file).length, whole.length, 'it is written again');
    }
    rmSync(file);
    mkdirSync(file);
    assert.equal((await inNewWindow()).tree, first.tree, 'nothing depends on it');
    assert.deepEqual(
      readdirSync(storage()).filter((one) => !/\.(?:pack|known)$/u.test(one)),
      [],
    );
  });
});

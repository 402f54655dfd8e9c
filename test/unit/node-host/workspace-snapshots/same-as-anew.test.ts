import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Snapshooter } from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import type { SnapshotRules } from '../../../../src/hosts/node/workspace-snapshots/snapshot.ts';
import { objectsOf } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';

/** Histories; each has its own seed, which a failure names. */
const HISTORIES = 12;
const STEPS = 25;
/** Milliseconds after which a file that was changed is believed by its time stamps. */
const SETTLED = 60;

describe('a checkpoint that reuses what the last one has seen', () => {
  let folder: string;
  let root: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-anew-')));
    root = path.join(folder, 'ws');
    mkdirSync(path.join(root, 'a/b'), { recursive: true });
    mkdirSync(path.join(root, 'c'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const PLACES = ['', 'a', 'a/b', 'c', 'c/d'];
  const NAMES = ['x', 'y.log', 'z'];

  function step(random: () => number): void {
    const pick = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)]!;
    const at = (): string => path.join(root, pick(PLACES), pick(NAMES));
    const [one, other] = [at(), at()];
    const steps: readonly (() => void)[] = [
      () => writeFileSync(one, pick(['1', '2', '33'])),
      () => writeFileSync(one, pick(['1', '2', '33'])),
      () => chmodSync(one, pick([0o644, 0o755, 0o600])),
      () => rmSync(one, { recursive: true }),
      () => renameSync(one, other),
      () => symlinkSync(pick(['x', 'z']), one),
      () => linkSync(one, other),
      () => mkdirSync(one),
      () => mkdirSync(path.join(root, 'c/d')),
      () => rmSync(path.join(root, pick(['a/b', 'c'])), { recursive: true }),
      () => mkdirSync(path.join(root, pick(['a/b', 'c'])), { recursive: true }),
      () => truncateSync(one, 2000),
      () =>
        writeFileSync(path.join(root, pick(PLACES), '.gitignore'), pick(['*.log', 'x\nd/', ''])),
    ];
    try {
      pick(steps)();
    } catch {
      // What is not there can be neither changed nor moved.
    }
  }

  for (let seed = 1; seed <= HISTORIES; seed += 1)
    it(`is the same as one that is taken anew, and all of it is stored (history ${seed})`, async () => {
      const random = numbers(seed);
      const storage = path.join(folder, 'objects');
      let objects = new ObjectStore(storage, 'window-0');
      let snapshooter = new Snapshooter(objects, storage);
      const including: string[] = [];
      for (let number = 1; number <= STEPS; number += 1) {
        for (let changes = Math.floor(random() * 3); changes > 0; changes -= 1) step(random);
        if (random() < 0.4) await delay(SETTLED);
        if (random() < 0.1) including.push(path.join(root, 'c/d/x'));
        const rules: SnapshotRules = {
          largestFile: 1000,
          mostFiles: 1000,
          without: [],
          including: [...including],
          environment: {},
        };
        const { tree, leftOut } = await snapshooter.take(root, rules);
        const anew = new ObjectStore(path.join(folder, `anew-${number}`), 'anew');
        const fresh = await new Snapshooter(anew).take(root, rules);
        assert.deepEqual([tree, leftOut], [fresh.tree, fresh.leftOut], `step ${number}`);
        for (const hash of objectsOf(objects, tree)) objects.get(hash);
        anew.close();
        if (random() < 0.15)
          objects.sweep(random() < 0.5 ? new Set() : objectsOf(objects, tree), 0);
        if (random() < 0.2) {
          objects.close();
          objects = new ObjectStore(storage, `window-${number}`);
          snapshooter = new Snapshooter(objects, storage);
        }
      }
      objects.close();
    });
});

/** From 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

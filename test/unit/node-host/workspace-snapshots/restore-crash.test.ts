import { inEnglish } from '../../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RecoveredRestore } from '../../../../src/core/ports/files/workspace-snapshots.ts';
import {
  claimJournal,
  journalsIn,
} from '../../../../src/hosts/node/workspace-snapshots/journal.ts';
import type { Journal } from '../../../../src/hosts/node/workspace-snapshots/journal.ts';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { Owners } from '../../../../src/hosts/node/workspace-snapshots/owners.ts';
import { Restores } from '../../../../src/hosts/node/workspace-snapshots/restore.ts';
import { stateOf, writeAfter, writeBefore } from './states.ts';
import type { State } from './states.ts';

/** Processes at the same time. */
const PARALLEL = 3;

describe('a restore that is cut off by a crash', () => {
  let folder: string;
  let child: string;
  let found: readonly State[];
  let left: readonly State[];

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-crash-')));
    child = path.join(folder, 'killed-restore.mjs');
    // As one file it starts three times as fast, and it is started often.
    await build({
      entryPoints: [fileURLToPath(new URL('killed-restore.ts', import.meta.url))],
      outfile: child,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    writeBefore(path.join(folder, 'template', 'before'));
    writeAfter(path.join(folder, 'template'));
    found = statesOf(path.join(folder, 'template', 'before'));
    left = statesOf(path.join(folder, 'template'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const statesOf = (work: string): State[] =>
    ['one', 'two'].map((root) => stateOf(path.join(work, root)));
  const isOld = (work: string): boolean => same(statesOf(work), left);
  const isNew = (work: string): boolean => same(statesOf(work), found);
  const storageOf = (work: string): string => path.join(work, 'storage');

  const fresh = (name: string): string => {
    const work = path.join(folder, name);
    mkdirSync(storageOf(work), { recursive: true });
    writeBefore(path.join(work, 'before'));
    writeAfter(work);
    return work;
  };
  /** @returns how often it changed something on disk, when it was not killed */
  const run = async (what: string, work: string, name: string, killAt = 0): Promise<number> =>
    new Promise((resolve, reject) => {
      const args = [child, what, storageOf(work), work, name, String(killAt)];
      execFile(process.execPath, args, (error, out, problem) => {
        if (error === null) resolve(Number(out));
        else if (error.signal === 'SIGKILL') resolve(0);
        else reject(new Error(problem));
      });
    });
  const recover = async (work: string): Promise<readonly RecoveredRestore[]> => {
    const owners = new Owners(storageOf(work), 'later');
    await owners.announce();
    const objects = new ObjectStore(storageOf(work), 'later');
    try {
      const restores = new Restores(objects, storageOf(work), owners);
      const recovered = await restores.recover();
      for (const { about } of recovered) restores.recorded(about);
      return recovered;
    } finally {
      objects.close();
    }
  };
  const leftBehind = (work: string): string[] =>
    readdirSync(storageOf(work)).filter((name) => name.includes('.json'));
  /** Cut off when some files are as before and some are not. */
  const halfway = async (name: string): Promise<string> => {
    const changes = await run('restore', fresh(`${name}-whole`), 'first');
    for (let killAt = changes - 12; ; killAt -= 1) {
      const work = fresh(`${name}-${killAt}`);
      await run('restore', work, 'first', killAt);
      if (!isOld(work) && !isNew(work) && leftBehind(work).length > 0) return work;
    }
  };

  it('is finished at the next start, whenever it was: all files are old or all are new', async function () {
    this.timeout(120_000);
    const whole = fresh('whole');
    const changes = await run('restore', whole, 'first');
    assert.ok(isNew(whole));
    assert.ok(changes > 50, `${changes} changes on disk`);
    let mixed = 0;
    await each(changes, async (killAt) => {
      const work = fresh(`killed-${killAt}`);
      await run('restore', work, 'first', killAt);
      const had = leftBehind(work).length;
      if (!isOld(work) && !isNew(work)) mixed += 1;
      const recovered = await recover(work);
      assert.ok(isOld(work) || isNew(work), `killed before change ${killAt}: a mixture`);
      if (recovered.length > 0) {
        assert.ok(had > 0 && isNew(work));
        assert.equal(recovered[0]?.outcome, 'finished');
        assert.deepEqual(recovered[0].about, { sessionId: 's' });
        assert.deepEqual([recovered[0].stayed, recovered[0].failed], [[], []]);
      }
      assert.deepEqual(journalsIn(storageOf(work)), []);
      assert.deepEqual(await recover(work), []);
      rmSync(work, { recursive: true });
    });
    assert.ok(mixed > 10, `${mixed} crashes left a mixture`);
  });

  it('also when the recovery is cut off itself', async function () {
    this.timeout(120_000);
    const cut = await halfway('cut');
    const copy = (name: string): string => {
      const work = path.join(folder, name);
      cpSync(cut, work, { recursive: true, verbatimSymlinks: true });
      const [journal] = journalsIn(storageOf(work));
      assert.ok(journal !== undefined);
      const text = readFileSync(journal.file, 'utf8');
      writeFileSync(journal.file, text.replaceAll(`${cut}/`, `${work}/`));
      return work;
    };
    const changes = await run('recover', copy('recovered'), 'second');
    assert.ok(isNew(path.join(folder, 'recovered')));
    await each(changes, async (killAt) => {
      const work = copy(`recovered-${killAt}`);
      await run('recover', work, 'second', killAt);
      await recover(work);
      assert.ok(isNew(work), `killed before change ${killAt} of the recovery`);
      rmSync(work, { recursive: true });
    });
  });

  it('what the person changed after the crash stays, and is named', async () => {
    const work = await halfway('edited');
    writeFileSync(path.join(work, 'two/x.txt'), 'typed after the crash\n');
    const [recovered] = await recover(work);
    assert.equal(recovered?.outcome, 'finished');
    assert.deepEqual(
      recovered.stayed.map(({ root, path: name }) => [root, name]),
      [[path.join(work, 'two'), 'x.txt']],
    );
    assert.ok(
      recovered.folders.every(({ changes }) => changes.every((one) => one.path !== 'x.txt')),
    );
    const [one, two] = statesOf(work);
    assert.deepEqual(one, found[0]);
    assert.deepEqual(two, { ...found[1], 'x.txt': '644 typed after the crash\n' });
  });

  it('is taken back when a content for finishing it is missing; nothing is touched when both are', async () => {
    const spoil = (work: string, which: 'to' | 'from'): void => {
      const [file] = journalsIn(storageOf(work));
      assert.ok(file !== undefined);
      const journal = JSON.parse(readFileSync(file.file, 'utf8')) as Journal;
      const step = journal.folders[1]?.steps.find(({ path: name }) => name === 'x.txt');
      assert.ok(step?.[which].kind === 'file');
      Object.assign(step[which], { hash: 'f'.repeat(64) });
      writeFileSync(file.file, JSON.stringify(journal));
    };
    const back = await halfway('back');
    spoil(back, 'to');
    assert.equal((await recover(back))[0]?.outcome, 'undone');
    assert.ok(isOld(back));
    assert.deepEqual(await recover(back), []);

    const lost = await halfway('lost');
    const mixture = statesOf(lost);
    spoil(lost, 'to');
    spoil(lost, 'from');
    assert.equal((await recover(lost))[0]?.outcome, 'lost');
    assert.deepEqual(statesOf(lost), mixture);
    assert.deepEqual(await recover(lost), [], 'told once');
  });

  it('is left to a process that lives, and of several that would finish it one does', async () => {
    const work = await halfway('alive');
    const [file] = journalsIn(storageOf(work));
    assert.ok(file !== undefined);
    // The name of the dead is that of a living process now.
    await new Owners(storageOf(work), file.owner).announce();
    assert.deepEqual(await recover(work), []);
    assert.equal(journalsIn(storageOf(work)).length, 1);
    assert.ok(!isNew(work));
    rmSync(path.join(storageOf(work), `${file.owner}.owner`));
    assert.ok(claimJournal(file, 'a') !== undefined);
    assert.equal(claimJournal(file, 'b'), undefined);
    assert.equal((await recover(work))[0]?.outcome, 'finished');
    assert.ok(isNew(work));
  });

  it('waits for a folder that is not there, and is tried again', async () => {
    const work = await halfway('away');
    cpSync(path.join(work, 'two'), path.join(work, 'away'), { recursive: true });
    rmSync(path.join(work, 'two'), { recursive: true });
    const [recovered] = await recover(work);
    assert.equal(recovered?.outcome, 'pending');
    assert.ok(recovered.failed.every(({ why }) => inEnglish(why) === 'The system reports ENOENT.'));
    cpSync(path.join(work, 'away'), path.join(work, 'two'), { recursive: true });
    assert.equal((await recover(work))[0]?.outcome, 'finished');
    assert.ok(isNew(work));
  });
});

const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** Does something for 1 to `count`, some at a time. */
async function each(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (next += 1; next <= count; next += 1) await work(next);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

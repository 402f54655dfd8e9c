import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { backUp } from '../../../src/store/database/backup.ts';
import { storePaths } from '../../../src/store/database/paths.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import { DAMAGES } from '../../support/damages.ts';
import { message, open, session, temporaryFolder } from '../../contract/store/support.ts';

/** Files with records of the person; what happens to them may cost records, and is told. */
const RECORDS = new Set(['belay.db', 'belay.db-wal']);

describe('chaos: every file of the store is damaged in every way', function () {
  this.timeout(60_000);
  let source: ReturnType<typeof temporaryFolder>;
  let written = 0;

  before(async () => {
    source = temporaryFolder();
    // The second one is killed: the log is full of what is nowhere else.
    await write(source.path, 30, 'SIGTERM');
    const paths = storePaths(source.path);
    await backUp(loadSqlite(), paths.database, paths, Date.now());
    written = await write(source.path, 30, 'SIGKILL');
    assert.deepEqual(filesOf(source.path), [
      'backups/BACKUP',
      'belay-lock.db',
      'belay.db',
      'belay.db-shm',
      'belay.db-wal',
      'belay.first-page',
      'belay.written',
    ]);
  });
  after(() => source.remove());

  for (const file of [
    'belay.db',
    'belay.db-wal',
    'belay.db-shm',
    'belay-lock.db',
    'belay.first-page',
    'belay.written',
    'backups/BACKUP',
    'backups',
    'belay.db.salvaged',
    'belay.db.salvaging',
  ]) {
    it(`${file}: nothing but itself is lost, and that is told`, async () => {
      const mine = DAMAGES.filter(({ forOthers }) => forOthers !== true);
      await Promise.all(
        mine.map(async ({ name, harm }) => {
          using folder = copyOf(source.path);
          const harmed = path.join(folder.path, actual(folder.path, file));
          if (fs.statSync(harmed, { throwIfNoEntry: false })?.isFile() !== true) {
            fs.rmSync(harmed, { recursive: true, force: true });
            fs.writeFileSync(harmed, 'x'.repeat(9000));
          }
          harm(harmed);
          await suffer(folder.path, file, written).catch((error: unknown) => {
            throw new Error(`${file}, ${name}`, { cause: error });
          });
        }),
      );
    });
  }
});

/** Opens a damaged store, writes to it, and opens it again. */
async function suffer(folder: string, file: string, written: number): Promise<void> {
  let store;
  try {
    store = await open(folder);
  } catch (error) {
    assert.match((error as Error).message, /belay\.db/u, 'the sentence names the file');
    assert.ok(file === 'belay.db', `only the database itself may be refused: ${String(error)}`);
    return;
  }
  const lost = store.problems.some((problem) => problem.lost === true);
  const kept = (await store.transcripts.session('s'))?.messageCount ?? 0;
  if (!RECORDS.has(file) && !file.startsWith('belay.db.salva')) {
    assert.ok(kept >= written, `${kept} of ${written} messages`);
    // Without its mark nobody knows whether the database is whole.
    if (file !== 'belay.written') assert.equal(lost, false, store.problems[0]?.message);
  }
  if (kept < written) assert.equal(lost, true, `${written - kept} are lost without a word`);
  await store.recorder.commit([
    { kind: 'session', session: session('new') },
    { kind: 'message', message: message('new', 1, 'hello', { id: 'new-1' }) },
  ]);
  await store.close();
  const again = await open(folder);
  assert.deepEqual(again.problems, [], 'dealt with once');
  assert.equal((await again.transcripts.session('new'))?.messageCount, 1);
  assert.equal((await again.transcripts.session('s'))?.messageCount ?? 0, kept);
  await again.close();
}

/** Writes until that many messages are promised; gives how many were. */
async function write(folder: string, count: number, signal: NodeJS.Signals): Promise<number> {
  const writer = fileURLToPath(new URL('writer.ts', import.meta.url));
  const child = spawn(process.execPath, [writer, folder, 's'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let last = 0;
  const ended = new Promise((resolve) => child.on('close', resolve));
  for await (const piece of child.stdout.setEncoding('utf8')) {
    text += String(piece);
    const kept = [...text.matchAll(/^kept (\d+) /gmu)];
    last = Number(kept.at(-1)?.[1] ?? 0);
    if (kept.length >= count) child.kill(signal);
  }
  await ended;
  return last;
}

const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => (name.startsWith('backups') ? 'backups/BACKUP' : name))
    .toSorted();

const actual = (folder: string, name: string): string =>
  name === 'backups/BACKUP' ? `backups/${fs.readdirSync(path.join(folder, 'backups'))[0]}` : name;

function copyOf(source: string): { readonly path: string } & Disposable {
  const folder = temporaryFolder();
  fs.cpSync(source, folder.path, { recursive: true });
  return { path: folder.path, [Symbol.dispose]: () => folder.remove() };
}

import { told } from '../../domain/text/told.ts';
import { readdirSync, renameSync, rmSync, statSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { storeError } from './failures.ts';
import { sizeOf } from './health.ts';
import { clearFolderPlace, createPrivateFolder, isOrdinary, makePrivate } from './own-file.ts';
import { stampOf, type StorePaths } from './paths.ts';
import type { Sqlite } from './sqlite.ts';

/** Daily backups kept, and as many from before a migration. */
const KEPT = 2;

/** Bytes that a backup leaves free on the disk. */
const ROOM_LEFT = 64 * 1024 * 1024;

/** Nobody works on a backup for longer. Milliseconds: one hour. */
const ABANDONED = 3_600_000;

/** Ends the name of a backup that is still being made. */
const PART = '.part';

/** Copies the database through SQLite, named when whole. Keeps the newest `KEPT`. */
export async function backUp(
  sqlite: Sqlite,
  database: string,
  paths: StorePaths,
  at: number,
  kind = 'daily',
): Promise<string> {
  clearFolderPlace(paths.backups);
  createPrivateFolder(paths.backups);
  removeAbandoned(paths);
  refuseWithoutRoom(database, paths, kind === 'daily' ? ROOM_LEFT : 0);
  const target = path.join(paths.backups, `belay-${kind}-${stampOf(at)}.db`);
  const temporary = target + PART;
  makePrivate(temporary);
  const source = new sqlite.DatabaseSync(database, { readOnly: true });
  try {
    // All pages in one step: a writer of another connection would make it start over.
    await sqlite.backup(source, temporary, { rate: 0x7f_ff_ff_ff });
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    source.close();
  }
  renameSync(temporary, target);
  const stale = backupsIn(paths)
    .filter((file) => path.basename(file).startsWith(`belay-${kind.split('-')[0] ?? kind}-`))
    .slice(KEPT);
  for (const file of stale) rmSync(file, { force: true });
  return target;
}

/** Removes half-made copies of killed processes; another window may be making one. */
function removeAbandoned(paths: StorePaths): void {
  for (const name of readdirSync(paths.backups)) {
    const file = path.join(paths.backups, name);
    if (!name.endsWith(PART) || Date.now() - statSync(file).mtimeMs < ABANDONED) continue;
    rmSync(file, { force: true });
  }
}

/** A backup must not be what fills the disk. */
function refuseWithoutRoom(database: string, paths: StorePaths, left: number): void {
  const system = statfsSync(paths.backups);
  const room = system.bavail * system.bsize;
  const needed = sizeOf(database) + left;
  if (room >= needed) return;
  throw storeError(
    'disk_full',
    told`There is no room for a backup of the database: ${Math.ceil(needed / 1e6)} MB are needed, ${Math.floor(room / 1e6)} MB are free. Nothing is lost; make room, and the next backup will be made.`,
  );
}

/** Backups, the newest first by name. */
export function backupsIn(paths: StorePaths): string[] {
  let names: string[];
  try {
    names = readdirSync(paths.backups);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith('belay-') && name.endsWith('.db'))
    .filter((name) => isOrdinary(path.join(paths.backups, name)))
    .toSorted((left, right) => (momentIn(left) < momentIn(right) ? 1 : -1))
    .map((name) => path.join(paths.backups, name));
}

function momentIn(name: string): string {
  return /\d{4}-\d\d-\d\dT[\d-]+(?=\.db$)/.exec(name)?.[0] ?? '';
}

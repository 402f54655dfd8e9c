import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stampOf, type StorePaths } from './paths.ts';
import type { Sqlite } from './sqlite.ts';

/** Daily backups kept, and as many from before a migration. */
const KEPT = 2;

/**
 * Copies the database through SQLite, which sees the journal too. The copy appears under its name only
 * when it is whole; then the oldest of its kind beyond `KEPT` go. Gives the file's path.
 */
export async function backUp(
  sqlite: Sqlite,
  database: string,
  paths: StorePaths,
  at: number,
  kind = 'daily',
): Promise<string> {
  mkdirSync(paths.backups, { recursive: true });
  const target = path.join(paths.backups, `belay-${kind}-${stampOf(at)}.db`);
  const temporary = `${target}.part`;
  const source = new sqlite.DatabaseSync(database, { readOnly: true });
  try {
    // All pages in one step: a writer of another connection would make it start over.
    await sqlite.backup(source, temporary, { rate: 0x7f_ff_ff_ff });
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
    .toSorted((left, right) => (momentIn(left) < momentIn(right) ? 1 : -1))
    .map((name) => path.join(paths.backups, name));
}

function momentIn(name: string): string {
  return /\d{4}-\d\d-\d\dT[\d-]+(?=\.db$)/.exec(name)?.[0] ?? '';
}

import { told } from '../../domain/text/told.ts';
import { existsSync, type Stats, statSync } from 'node:fs';
import { storeError } from './failures.ts';
import type { Connection } from './connection.ts';
import type { StorePaths } from './paths.ts';
import { readMarks } from './write-mark.ts';

/** Bytes up to which a database is checked before use, at 3 ms a megabyte (measured). */
export const CHECKED_AT_OPEN = 8 * 1024 * 1024;

/** A big database that was closed properly is checked this often. Milliseconds: one week. */
export const CHECK_EVERY = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds: one day. */
export const BACKUP_EVERY = 24 * 60 * 60 * 1000;

/**
 * Walks every table and index by page; quick_check misses rows that only an index knows. By table:
 * over all, SQLite would read the search's texts again (17 ms more). Fails with `store`, reason
 * `damaged`.
 */
export function checkPages(connection: Connection): void {
  const tables = connection.all<{ name: string }>(
    `SELECT 'sqlite_schema' AS name UNION ALL
     SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`,
  );
  for (const { name } of tables) {
    const [first] = connection.all<{ integrity_check: string }>(
      `PRAGMA integrity_check("${name.replaceAll('"', '""')}")`,
    );
    if (first?.integrity_check === 'ok') continue;
    throw storeError(
      'damaged',
      told`The database ${connection.file} is damaged (${first?.integrity_check ?? 'no answer'}).`,
    );
  }
}

/** `unknown`: it leads nowhere, like a link to itself. */
function statOf(file: string): Stats | 'unknown' | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return 'unknown';
  }
}

/** Bytes; -1: there is no such file. Fails with `store` when something else is in its place. */
export function sizeOf(file: string): number {
  const stat = statOf(file);
  if (stat === undefined) return -1;
  if (stat !== 'unknown' && stat.isFile()) return stat.size;
  throw storeError(
    'not_openable',
    told`Where the database ${file} should be, there is ${stat !== 'unknown' && stat.isDirectory() ? 'a folder' : 'something that is not a file'}. Nothing was changed; move it away, then reload the window.`,
  );
}

/** Tells whether a file was replaced by another of the same name. */
export function fileIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/** True when there is no database and never was one: nothing was recorded in it. */
export function isNew(paths: StorePaths): boolean {
  if (sizeOf(paths.database) > 0 || sizeOf(paths.salvaged) >= 0) return false;
  return !existsSync(paths.firstPage) && readMarks(paths).every(({ count }) => count === 0);
}

/** Fails with `damaged` when a database is gone or empty: SQLite would make a new one. */
export function refuseVanished(paths: StorePaths): void {
  if (sizeOf(paths.database) > 0 || isNew(paths)) return;
  throw storeError('damaged', told`The database ${paths.database} has lost all its content.`);
}

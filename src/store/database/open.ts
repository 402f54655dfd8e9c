import { copyFileSync, mkdirSync } from 'node:fs';
import { MIGRATIONS, migrate, schemaState } from '../migrations/migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import { backUp } from './backup.ts';
import { Connection } from './connection.ts';
import { databaseError, reasonOf, storeError } from './failures.ts';
import {
  CHECKED_AT_OPEN,
  checkPages,
  fileIdentity,
  keepFirstPage,
  logIsDamaged,
  refuseVanished,
  sizeOf,
} from './health.ts';
import { PresenceLock } from './lock.ts';
import { lostFrames, readLogIndex } from './log-loss.ts';
import { stampOf, storePaths, type StorePaths } from './paths.ts';
import { salvage } from './salvage.ts';
import type { Sqlite } from './sqlite.ts';
import type { StoreProblem } from '../rpc.ts';

export interface DatabaseOptions {
  readonly sqlite: Sqlite;
  readonly folder: string;
  readonly busyTimeoutMs: number;
  /** For the names of files that are moved aside. Milliseconds since the epoch. */
  readonly at: number;
  readonly vfs?: string;
  readonly migrations?: readonly Migration[];
  /** Hears of damage that was dealt with. */
  readonly report: (problem: StoreProblem) => void;
}

/** An open database that is fit to use. */
export interface OpenDatabase {
  readonly connection: Connection;
  readonly lock: PresenceLock;
  readonly paths: StorePaths;
  /** `wal`, or `delete` where the folder does not allow it (network drives). */
  readonly journalMode: string;
  /** Whether every page was checked. */
  readonly checked: boolean;
}

/**
 * Opens the database of a folder, creates it, brings its schema up to date, or rescues it.
 * Fails with `BelayError` code `store`; then nothing was changed, unless the message says so.
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const paths = storePaths(options.folder);
  const lock = new PresenceLock(options.sqlite, paths.lock, options.busyTimeoutMs);
  try {
    mkdirSync(options.folder, { recursive: true });
    sizeOf(paths.database);
    lock.share();
    try {
      return { ...(await openChecked(options, paths)), lock };
    } catch (error) {
      if (reasonOf(databaseError(error, paths.database)) !== 'damaged') throw error;
      return await rescue(options, paths, lock);
    }
  } catch (error) {
    lock.release();
    throw databaseError(error, paths.database);
  }
}

/**
 * Replaces a damaged database by what can be read of it. Only one process can do it, and only
 * while nobody else has the database open: SQLite deletes side files by name. `evidence`: what was
 * found wrong that the check of pages cannot see.
 */
export async function rescue(
  options: DatabaseOptions,
  paths: StorePaths,
  lock: PresenceLock,
  evidence?: string,
): Promise<OpenDatabase> {
  const before = fileIdentity(paths.database);
  if (!lock.takeAlone()) {
    // Waits while another process does the same; then there may be nothing left to do.
    lock.share();
    const replaced = fileIdentity(paths.database) !== before;
    if (replaced || (evidence === undefined && (await isSound(options, paths)))) {
      return reopen(options, paths, lock);
    }
    throw storeError(
      'damaged',
      `The database ${paths.database} is damaged, and another window has it open. Nothing was changed; close the other windows of this workspace, then reload this one: what is readable will be rescued.`,
    );
  }
  try {
    const replaced = fileIdentity(paths.database) !== before;
    if ((evidence !== undefined && !replaced) || !(await isSound(options, paths))) {
      options.report(salvage(options, paths));
    }
  } finally {
    lock.release();
  }
  lock.share();
  return { ...(await openChecked(options, paths)), lock };
}

/** Opens a database that was just checked, or that is known to be damaged and must do for now. */
export async function reopen(
  options: DatabaseOptions,
  paths: StorePaths,
  lock: PresenceLock,
): Promise<OpenDatabase> {
  return { ...(await openChecked(options, paths, 0)), lock };
}

/** Another process may have rescued it while this one waited for the lock. */
async function isSound(options: DatabaseOptions, paths: StorePaths): Promise<boolean> {
  try {
    const opened = await openChecked(options, paths);
    try {
      checkPages(opened.connection);
    } finally {
      opened.connection.close();
    }
    return true;
  } catch (error) {
    if (reasonOf(databaseError(error, paths.database)) === 'damaged') return false;
    throw error;
  }
}

async function openChecked(
  options: DatabaseOptions,
  paths: StorePaths,
  checkedSize = CHECKED_AT_OPEN,
): Promise<Omit<OpenDatabase, 'lock'>> {
  if (sizeOf(paths.salvaged) >= 0) {
    throw storeError('damaged', `A rescue of ${paths.database} was interrupted.`);
  }
  refuseVanished(paths);
  const kept = keepDamagedLog(options, paths);
  const logBefore = readLogIndex(paths);
  const connection = new Connection(options.sqlite, paths.database, {
    busyTimeoutMs: options.busyTimeoutMs,
    ...(options.vfs === undefined ? {} : { vfs: options.vfs }),
  });
  try {
    const migrations = options.migrations ?? MIGRATIONS;
    const state = schemaState(connection, migrations);
    const journalMode = useLog(connection);
    if (!kept && lostFrames(logBefore, readLogIndex(paths))) tellLostFrames(options);
    if (state.behind && state.version > 0) {
      checkPages(connection);
      await backUp(options.sqlite, connection.file, paths, options.at, `version-${state.version}`);
    }
    if (state.behind) migrate(connection, migrations);
    const checked = sizeOf(paths.database) <= checkedSize;
    if (checked) checkPages(connection);
    insure(connection, paths);
    return { connection, paths, journalMode, checked };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The copy of the first page is for bad days: a day on which it cannot be made is not a worse one. */
function insure(connection: Connection, paths: StorePaths): void {
  try {
    keepFirstPage(connection, paths);
  } catch (error) {
    if (reasonOf(databaseError(error, paths.database)) === 'damaged') throw error;
  }
}

/**
 * Write-ahead log with a sync at every commit: what was promised survives a power loss. The mode is
 * read back: a folder that cannot do it keeps a rollback journal, slower and just as safe.
 */
function useLog(connection: Connection): string {
  const mode = (): string =>
    connection.get<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode ?? 'unknown';
  let present = mode();
  for (let attempt = 0; present !== 'wal' && attempt < 50; attempt += 1) {
    try {
      present =
        connection.get<{ journal_mode: string }>('PRAGMA journal_mode = WAL')?.journal_mode ??
        mode();
      break;
    } catch (error) {
      if (reasonOf(databaseError(error, connection.file)) !== 'busy') throw error;
      // Another process creates the database at this moment; SQLite does not wait here by itself.
      pause(20);
      present = mode();
    }
  }
  connection.exec('PRAGMA synchronous = FULL');
  // After a big import the log does not stay big.
  connection.exec('PRAGMA journal_size_limit = 16777216');
  // macOS reports a plain sync as done while the drive still holds it in its cache.
  if (process.platform === 'darwin') connection.exec('PRAGMA fullfsync = ON');
  return present;
}

/** SQLite ignores a log whose beginning is damaged; it is kept aside for those who want to look. */
function keepDamagedLog(options: DatabaseOptions, paths: StorePaths): boolean {
  if (!logIsDamaged(paths)) return false;
  const kept = `${paths.database}-wal.damaged-${stampOf(options.at)}`;
  copyFileSync(`${paths.database}-wal`, kept);
  options.report({
    kind: 'journal_damaged',
    message: `The journal of the database was damaged, so the last changes before Belay ended may be missing. Everything else is kept. The damaged file is ${kept}.`,
    movedTo: [kept],
  });
  return true;
}

function tellLostFrames({ report }: DatabaseOptions): void {
  report({
    kind: 'journal_damaged',
    message:
      'The end of the database’s journal is missing, and with it the last changes before Belay ended. Everything else is kept. Look at the last steps of your newest sessions before you go on with them.',
  });
}

/** Blocks this thread; only the store's own worker comes here. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

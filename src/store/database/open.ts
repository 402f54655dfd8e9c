import { createPrivateFolder } from './own-file.ts';
import { told } from '../../domain/text/told.ts';
import type { DatabaseOptions } from './database-options.ts';
import type { Migration } from '../migrations/migration.ts';
import { applyMigrations, migrate, MIGRATIONS, schemaState } from '../migrations/migrations.ts';
import { backUp } from './backup.ts';
import { Connection } from './connection.ts';
import { createDatabase } from './create.ts';
import { databaseError, reasonOf, storeError } from './failures.ts';
import { firstPageIsKept, keepFirstPage, schemaCookie } from './first-page.ts';
import {
  CHECKED_AT_OPEN,
  checkPages,
  fileIdentity,
  isNew,
  refuseVanished,
  sizeOf,
} from './health.ts';
import { inspectLog, useLog } from './journal.ts';
import { PresenceLock } from './lock.ts';
import { clearSideFiles } from './side-files.ts';
import { storePaths, type StorePaths } from './paths.ts';
import { beginIdentity } from './progress.ts';
import { salvage } from './salvage.ts';

export interface OpenDatabase {
  readonly connection: Connection;
  readonly lock: PresenceLock;
  readonly paths: StorePaths;
  /** `wal`, or `delete` where the folder does not allow it (network drives). */
  readonly journalMode: string;
  /** True when every page was checked. */
  readonly checked: boolean;
}

/**
 * Opens, creates, migrates or rescues a folder's database. Fails with `store`; then nothing was
 * changed, unless the message says so.
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const paths = storePaths(options.folder);
  const lock = new PresenceLock(options.sqlite, paths.lock, options.busyTimeoutMs, options.report);
  try {
    createPrivateFolder(options.folder);
    // Processes that start at once: one creates it, the others wait for the lock.
    if (isNew(paths) && lock.takeAlone() && isNew(paths))
      createDatabase(options, paths.database, (made) => {
        migrate(made, options.migrations ?? MIGRATIONS);
        beginIdentity(made, paths);
      });
    lock.share();
    clearSideFiles(paths, lock, options.report);
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
 * Replaces a damaged database by what can be read of it; one process alone, since SQLite deletes
 * side files by name. `evidence`: faults that the check of pages cannot see.
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
      told`The database ${paths.database} is damaged, and another window has it open. Nothing was changed; close the other windows of this workspace, then reload this one: what is readable will be rescued.`,
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
    throw storeError('damaged', told`A rescue of ${paths.database} was interrupted.`);
  }
  refuseVanished(paths);
  inspectLog(options, paths);
  let connection = connect(options, paths);
  try {
    const migrations = options.migrations ?? MIGRATIONS;
    const state = schemaState(connection, migrations);
    let journalMode = useLog(connection);
    if (state.behind) {
      await upgrade(connection, options, paths, migrations);
      // A connection that has seen an older schema would go on using its full-text tables.
      connection.close();
      connection = connect(options, paths);
      journalMode = useLog(connection);
    }
    const checked = sizeOf(paths.database) <= checkedSize;
    if (checked) checkPages(connection);
    const cookie = schemaCookie(connection);
    if (!firstPageIsKept(paths, cookie)) {
      connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
      connection.close();
      insure(paths, cookie);
      connection = connect(options, paths);
      journalMode = useLog(connection);
    }
    return { connection, paths, journalMode, checked };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Checks, copies and migrates the database while no other process can write to it, or do the same. */
async function upgrade(
  connection: Connection,
  options: DatabaseOptions,
  paths: StorePaths,
  migrations: readonly Migration[],
): Promise<void> {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const { version, behind } = schemaState(connection, migrations);
    if (behind && version > 0) {
      checkPages(connection);
      await backUp(options.sqlite, connection.file, paths, options.at, `version-${version}`);
    }
    applyMigrations(connection, migrations);
    connection.commit();
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

function connect(options: DatabaseOptions, paths: StorePaths): Connection {
  return new Connection(options.sqlite, paths.database, {
    busyTimeoutMs: options.busyTimeoutMs,
    ...(options.vfs === undefined ? {} : { vfs: options.vfs }),
  });
}

/** The copy of the first page is for bad days: a day on which it cannot be made is not a worse one. */
function insure(paths: StorePaths, cookie: number): void {
  try {
    keepFirstPage(paths, cookie);
  } catch (error) {
    if (reasonOf(databaseError(error, paths.database)) === undefined) throw error;
  }
}

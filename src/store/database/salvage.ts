import { tells } from '../../domain/failure.ts';
import { told, type Told } from '../../domain/text/told.ts';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { migrate, MIGRATIONS } from '../migrations/migrations.ts';
import { indexMemories } from '../memory/memories.ts';
import type { StoreProblem } from '../rpc.ts';
import { backupsIn } from './backup.ts';
import { Connection } from './connection.ts';
import { storeError } from './failures.ts';
import { checkPages, sizeOf } from './health.ts';
import { SIDE_FILES, stampOf, type StorePaths } from './paths.ts';
import type { DatabaseOptions } from './database-options.ts';
import { moveAside } from './own-file.ts';
import { forgetIdentity, isBehind, writtenIn } from './progress.ts';
import { copyTables, TABLES, type Copied } from './salvage-rows.ts';
import { readMarks } from './write-mark.ts';
import { dropStrangers, mendSessions, noticeLosses } from './salvage-sessions.ts';

/**
 * Rescues a damaged database: copies what is readable, fills gaps from the newest sound backup,
 * then exchanges them. The next open finishes what was interrupted. The caller holds the lock
 * alone.
 */
export function salvage(options: DatabaseOptions, paths: StorePaths): StoreProblem {
  // A finished one waits only for the exchange.
  const marks = readMarks(paths);
  const finished = existsSync(paths.salvaged) && isRescue(options, paths.salvaged);
  // A file that only has the name of a salvaged one is built again.
  if (!finished && existsSync(paths.salvaged)) moveAside(paths.salvaged);
  const rescued = finished ? undefined : build(options, paths);
  const movedTo = exchange(options, paths);
  return {
    kind: 'salvaged',
    ...tells(...sentences(movedTo, rescued)),
    // Every row was read, and the last transaction that is known of is among them.
    lost: rescued === undefined || rescued.damaged.size > 0 || isBehind(rescued.written, marks),
    movedTo,
    ...(rescued === undefined ? {} : { kept: Object.fromEntries(rescued.kept) }),
  };
}

/** True for a finished, sound rescue. */
function isRescue(options: DatabaseOptions, file: string): boolean {
  const found = readable(options, file);
  if (found === undefined) return false;
  try {
    checkPages(found);
    return true;
  } catch {
    return false;
  } finally {
    found.close();
  }
}

/** Makes the new database and, when it is complete, gives it the name that says so. */
function build(options: DatabaseOptions, paths: StorePaths): Copied {
  const temporary = `${paths.database}.salvaging`;
  discard(temporary);
  const target = new Connection(options.sqlite, temporary, {
    busyTimeoutMs: options.busyTimeoutMs,
  });
  const copied: Copied = {
    kept: new Map(),
    damaged: new Set(),
    usedBackup: false,
    written: undefined,
  };
  try {
    migrate(target, options.migrations ?? MIGRATIONS);
    target.exec('PRAGMA foreign_keys = OFF');
    target.transaction(() => {
      target.exec('DELETE FROM meta');
      copySource(options, paths, target, copied);
      copied.written = writtenIn(target);
      noticeLosses(target, copied);
      if (copied.damaged.size > 0)
        copied.usedBackup = fillFromBackup(options, paths, target, copied);
      mendSessions(target);
      indexMemories(target);
      forgetIdentity(target);
    });
    checkPages(target);
  } finally {
    target.close();
  }
  renameSync(temporary, paths.salvaged);
  return copied;
}

/** Reads the damaged file as it is; if SQLite cannot, a copy of it with a sound first page. */
function copySource(
  options: DatabaseOptions,
  paths: StorePaths,
  target: Connection,
  copied: Copied,
): void {
  const patched = `${paths.database}.patched`;
  let source: Connection | undefined;
  try {
    if (sizeOf(paths.database) > 0) {
      source = readable(options, paths.database);
      if (source === undefined && withFirstPage(paths, patched))
        source = readable(options, patched);
    }
    if (source === undefined) for (const table of TABLES) copied.damaged.add(table);
    else copyTables(source, target, copied, TABLES);
  } finally {
    source?.close();
    discard(patched);
  }
}

/** A connection to what can at least list its tables. */
function readable(options: DatabaseOptions, file: string): Connection | undefined {
  let source: Connection | undefined;
  try {
    source = new Connection(options.sqlite, file, {
      readOnly: true,
      busyTimeoutMs: options.busyTimeoutMs,
    });
    if (source.get("SELECT 1 FROM sqlite_schema WHERE name = 'messages'") !== undefined)
      return source;
  } catch {
    // Not a database any more.
  }
  source?.close();
  return undefined;
}

/** Offsets in the first page, https://sqlite.org/fileformat2.html#the_database_header. */
const HEADER = { changes: 24, pages: 28, freePages: 32, freeCount: 36, validFor: 92 };

/** Copies the damaged file with the kept first page; only counts in its header are set anew. */
function withFirstPage(paths: StorePaths, target: string): boolean {
  if (sizeOf(paths.firstPage) <= 0) return false;
  copyFileSync(paths.database, target);
  if (existsSync(`${paths.database}-wal`)) copyFileSync(`${paths.database}-wal`, `${target}-wal`);
  const page = readFileSync(paths.firstPage);
  page.writeUInt32BE(Math.floor(sizeOf(target) / page.length), HEADER.pages);
  page.writeUInt32BE(0, HEADER.freePages);
  page.writeUInt32BE(0, HEADER.freeCount);
  page.writeUInt32BE(page.readUInt32BE(HEADER.changes), HEADER.validFor);
  const descriptor = openSync(target, 'r+');
  try {
    writeSync(descriptor, page, 0, page.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** Adds what only the newest sound backup still has; `false`: there is none. */
function fillFromBackup(
  options: DatabaseOptions,
  paths: StorePaths,
  target: Connection,
  copied: Copied,
): boolean {
  for (const file of backupsIn(paths)) {
    let backup: Connection | undefined;
    try {
      backup = readable(options, file);
      if (backup === undefined) continue;
      checkPages(backup);
    } catch {
      // The one before it may be sound.
      backup?.close();
      continue;
    }
    try {
      // Tables that could be read in full know better than the backup what was deleted since.
      const lost = TABLES.filter((table) => copied.damaged.has(table));
      copyTables(backup, target, copied, lost);
      if (!copied.damaged.has('sessions')) dropStrangers(target);
      return true;
    } finally {
      backup.close();
    }
  }
  return false;
}

/** Moves the damaged files aside under a dated name that is free, and the rescued one into place. */
function exchange(options: DatabaseOptions, paths: StorePaths): string[] {
  let aside = `${paths.database}.damaged-${stampOf(options.at)}`;
  for (let copy = 2; existsSync(aside); copy += 1) {
    aside = `${paths.database}.damaged-${stampOf(options.at)}-${copy}`;
  }
  const movedTo: string[] = [];
  try {
    // Side files first: a log left behind would be taken for the new database's own.
    for (const suffix of [...SIDE_FILES, '']) {
      if (!existsSync(paths.database + suffix)) continue;
      renameSync(paths.database + suffix, aside + suffix);
      movedTo.unshift(aside + suffix);
    }
    // It is about the other one; the new one gets its own when it is opened.
    rmSync(paths.mark, { recursive: true, force: true });
    renameSync(paths.salvaged, paths.database);
  } catch (error) {
    throw storeError(
      'damaged',
      told`The database ${paths.database} is damaged and could not be moved aside. What was readable is rescued in ${paths.salvaged}; close other programs that use it, then reload the window.`,
      error,
    );
  }
  return movedTo;
}

function discard(file: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(file + suffix, { force: true });
}

function sentences(movedTo: readonly string[], copied: Copied | undefined): readonly Told[] {
  const sessions = copied?.kept.get('sessions') ?? 0;
  const messages = copied?.kept.get('messages') ?? 0;
  const kept =
    copied === undefined
      ? told`What was readable is kept`
      : told`${sessions} sessions with ${messages} messages are kept`;
  const backup = copied?.usedBackup === true ? told`, some of it from the last backup` : '';
  const [damaged] = movedTo;
  return [
    told`The database was damaged and has been rescued: ${kept}${backup}.`,
    ...(damaged === undefined ? [] : [told`The damaged file is ${damaged}.`]),
    told`Look through your sessions; nothing else is needed.`,
  ];
}

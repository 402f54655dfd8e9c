import { closeSync, openSync, readSync } from 'node:fs';
import type { Connection } from './connection.ts';
import type { StorePaths } from './paths.ts';

/**
 * What the index of the write-ahead log says (https://sqlite.org/walformat.html, the file `-shm`). It
 * outlives a killed process, so it tells how long the log had been when the process died.
 */
export interface LogIndex {
  /** Pages in the log that were committed. */
  readonly frames: number;
  /** How many of them are in the database file already. */
  readonly inDatabase: number;
  /** Changes when the log begins anew: the first part grows by one, the second is random. */
  readonly salt: readonly [number, number];
}

const HEADER = 48;
const VERSION = 3_007_000;

/**
 * Reads the index as it lies there; `undefined` when there is none or it is not whole. Only before this
 * process opens the database: closing the file gives up the locks that SQLite holds on it.
 */
export function readLogIndex({ database }: StorePaths): LogIndex | undefined {
  const bytes = Buffer.alloc(2 * HEADER + 4);
  try {
    const descriptor = openSync(`${database}-shm`, 'r');
    try {
      if (readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // no index: the database was closed properly, or has no log
  }
  // Two copies, written one after the other: they differ when the process died in between.
  if (!bytes.subarray(0, HEADER).equals(bytes.subarray(HEADER, 2 * HEADER))) return undefined;
  const little = bytes.readUInt32LE(0) === VERSION;
  if (!little && bytes.readUInt32BE(0) !== VERSION) return undefined;
  const number = (at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return {
    frames: number(16),
    inDatabase: number(2 * HEADER),
    salt: [bytes.readUInt32BE(32), bytes.readUInt32BE(36)],
  };
}

/** The same of a database that is open: SQLite counts the pages, and the log itself has the salt. */
export function readLogState({ database }: StorePaths, connection: Connection): LogIndex {
  const state = connection.get<{ log: number; checkpointed: number }>(
    'PRAGMA wal_checkpoint(NOOP)',
  );
  return {
    frames: Math.max(0, state?.log ?? 0),
    inDatabase: Math.max(0, state?.checkpointed ?? 0),
    salt: saltOf(`${database}-wal`),
  };
}

/** Offset of the salt in the log's header. */
const SALT = 16;

function saltOf(log: string): readonly [number, number] {
  const bytes = Buffer.alloc(SALT + 8);
  try {
    const descriptor = openSync(log, 'r');
    try {
      if (readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) return [0, 0];
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [0, 0]; // no log: there is nothing in it
  }
  return [bytes.readUInt32BE(SALT), bytes.readUInt32BE(SALT + 4)];
}

/** The log may have begun anew a few times while it was looked at. */
const NEW_BEGINNINGS = 8;

/**
 * Whether committed pages are gone that were only in the log: SQLite takes a shorter log, or none at
 * all, for the whole truth. `before`: read before the database was opened, `after`: once it was read.
 */
export function lostFrames(before: LogIndex | undefined, after: LogIndex | undefined): boolean {
  if (before === undefined || after === undefined || before.frames <= before.inDatabase)
    return false;
  const [first, second] = before.salt;
  if (after.salt[0] === first && after.salt[1] === second) return after.frames < before.frames;
  // Another process that works with the database may begin the log anew at any moment.
  const beginnings = (after.salt[0] - first) >>> 0;
  return beginnings === 0 || beginnings > NEW_BEGINNINGS;
}

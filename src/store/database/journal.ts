import { told } from '../../domain/text/told.ts';
import { tells } from '../../domain/failure.ts';
import { closeSync, copyFileSync, openSync, readSync, statSync } from 'node:fs';
import type { StoreProblem } from '../rpc.ts';
import type { Connection } from './connection.ts';
import { databaseError, reasonOf } from './failures.ts';
import { stampOf, type StorePaths } from './paths.ts';

/**
 * Write-ahead log with a sync at every commit: it survives a power loss. Where impossible, a slower rollback journal.
 */
export function useLog(connection: Connection): string {
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

interface Reporting {
  readonly at: number;
  readonly report: (problem: StoreProblem) => void;
}

/** Keeps a log aside whose beginning is damaged: SQLite would ignore it. */
export function inspectLog({ at, report }: Reporting, paths: StorePaths): void {
  if (!logIsDamaged(paths)) return;
  const kept = `${paths.database}-wal.damaged-${stampOf(at)}`;
  copyFileSync(`${paths.database}-wal`, kept);
  report({
    kind: 'journal_damaged',
    lost: true,
    ...tells(
      told`The journal of the database was damaged, so the last changes before Belay ended may be missing. Everything else is kept. The damaged file is ${kept}.`,
    ),
    movedTo: [kept],
  });
}

/** A write-ahead log starts with 32 bytes; of them the last 8 are a checksum of the others. */
const LOG_HEADER = 32;
const LOG_MAGIC = 0x37_7f_06_82;

/**
 * True for a log that SQLite will ignore for its beginning; a torn end is normal: what it held was not yet promised.
 */
function logIsDamaged(paths: StorePaths): boolean {
  const file = `${paths.database}-wal`;
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_HEADER) return false;
  const header = Buffer.alloc(LOG_HEADER);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, LOG_HEADER, 0);
  } finally {
    closeSync(descriptor);
  }
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== LOG_MAGIC) return true;
  const [first, second] = logChecksum(header.subarray(0, 24), (magic & 1) === 1);
  return first !== header.readUInt32BE(24) || second !== header.readUInt32BE(28);
}

/** The checksum of https://sqlite.org/fileformat2.html#checksum_algorithm. */
function logChecksum(bytes: Buffer, bigEndian: boolean): readonly [number, number] {
  let first = 0;
  let second = 0;
  for (let at = 0; at < bytes.length; at += 8) {
    const left = bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const right = bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + left + second) >>> 0;
    second = (second + right + first) >>> 0;
  }
  return [first, second];
}

/** Blocks this thread; only the store's own worker comes here. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

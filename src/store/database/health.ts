import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { threadId } from 'node:worker_threads';
import { storeError } from './failures.ts';
import type { Connection } from './connection.ts';
import type { StorePaths } from './paths.ts';

/**
 * Databases up to this size are checked page by page before they are used; that costs 0.5 ms a
 * megabyte with long rows and up to 3 ms with short ones (measured), so at most about 25 ms.
 * Bigger ones are checked beside the work, in a thread of their own. Bytes.
 */
export const CHECKED_AT_OPEN = 8 * 1024 * 1024;

/** A big database that was closed properly is checked this often. Milliseconds: one week. */
export const CHECK_EVERY = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds: one day. */
export const BACKUP_EVERY = 24 * 60 * 60 * 1000;

/**
 * Walks every table and index, page by page, and compares them: quick_check would not see a row
 * that only its index still knows, and costs nearly the same (4.4 and 5 ms for 2.5 MB, measured).
 * Table by table: over the whole database SQLite would also read every text again for the search
 * (17 ms more), and the search can be built anew. Fails with `store`, reason `damaged`.
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
      `The database ${connection.file} is damaged (${first?.integrity_check ?? 'no answer'}).`,
    );
  }
}

/** Bytes; -1: there is no such file. Fails with `store` when something else is in its place. */
export function sizeOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return -1;
  if (stat.isFile()) return stat.size;
  throw storeError(
    'not_openable',
    `Where the database ${file} should be, there is ${stat.isDirectory() ? 'a folder' : 'something that is not a file'}. Nothing was changed; move it away, then reload the window.`,
  );
}

/** Tells whether a file was replaced by another of the same name. */
export function fileIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/**
 * Fails with `damaged` when the database is gone or empty although it once had content: SQLite
 * would take it for a new one, and every session would silently be missing.
 */
export function refuseVanished(paths: StorePaths): void {
  if (sizeOf(paths.database) > 0 || sizeOf(paths.firstPage) < 0) return;
  throw storeError('damaged', `The database ${paths.database} has lost all its content.`);
}

/** A write-ahead log starts with 32 bytes; of them the last 8 are a checksum of the others. */
const LOG_HEADER = 32;
const LOG_MAGIC = 0x37_7f_06_82;

/**
 * Whether the write-ahead log has content that SQLite will ignore because its beginning is not
 * what it should be. (A torn end is normal after a crash: what it held was not yet promised.)
 */
export function logIsDamaged(paths: StorePaths): boolean {
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

/** Offset of the schema's cookie in the first page: it changes when, and only when, the schema does. */
const SCHEMA_COOKIE = 40;

/**
 * Keeps a copy of the first page when the schema has changed since the last copy. The page is in
 * the database file only after a checkpoint; when another process prevents it, the next open does it.
 */
export function keepFirstPage(connection: Connection, paths: StorePaths): void {
  const cookie = connection.get<{ schema_version: number }>(
    'PRAGMA schema_version',
  )?.schema_version;
  if (sizeOf(paths.firstPage) > 0) {
    const kept = readFileSync(paths.firstPage);
    if (kept.length > SCHEMA_COOKIE + 4 && kept.readUInt32BE(SCHEMA_COOKIE) === cookie) return;
  }
  connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
  const pageSize = connection.get<{ page_size: number }>('PRAGMA page_size')?.page_size ?? 4096;
  const page = Buffer.alloc(pageSize);
  const descriptor = openSync(paths.database, 'r');
  try {
    if (readSync(descriptor, page, 0, pageSize, 0) < pageSize) return;
  } finally {
    closeSync(descriptor);
  }
  if (page.readUInt32BE(SCHEMA_COOKIE) === cookie) replaceFile(paths.firstPage, page);
}

/** Writes a small file so that it is either the old one or the whole new one. */
function replaceFile(file: string, content: Buffer): void {
  // Two processes may do it at the same time.
  const temporary = `${file}.new-${process.pid}-${threadId}`;
  const descriptor = openSync(temporary, 'w');
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

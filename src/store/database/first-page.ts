import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { threadId } from 'node:worker_threads';
import { one, type Connection } from './connection.ts';
import { clearPlace } from './own-file.ts';
import type { StorePaths } from './paths.ts';

/** Offset of the schema's cookie in the first page: it changes when, and only when, the schema does. */
const SCHEMA_COOKIE = 40;

const PAGE_SIZE = 4096;

/** Number of the schema as the connection sees it. */
export function schemaCookie(connection: Connection): number {
  return one<{ schema_version: number }>(connection, 'PRAGMA schema_version').schema_version;
}

/** True when the first page's copy is of this schema. */
export function firstPageIsKept(paths: StorePaths, cookie: number): boolean {
  clearPlace(paths.firstPage);
  if (!existsSync(paths.firstPage)) return false;
  const kept = readFileSync(paths.firstPage);
  return kept.length >= PAGE_SIZE && kept.readUInt32BE(SCHEMA_COOKIE) === cookie;
}

/**
 * Keeps a copy of the first page, for reading a database that has lost its beginning. Only without
 * a connection: closing a file gives up the process's locks on it
 * (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export function keepFirstPage(paths: StorePaths, cookie: number): void {
  const page = Buffer.alloc(PAGE_SIZE);
  const descriptor = openSync(paths.database, 'r');
  try {
    if (readSync(descriptor, page, 0, PAGE_SIZE, 0) < PAGE_SIZE) return;
  } finally {
    closeSync(descriptor);
  }
  // Another window may have kept the schema in the log; then a later open does it.
  if (page.readUInt32BE(SCHEMA_COOKIE) === cookie) replaceFile(paths.firstPage, page);
}

/** Writes a small file so that it is either the old one or the whole new one. */
function replaceFile(file: string, content: Buffer): void {
  // Two processes may do it at the same time.
  const temporary = `${file}.new-${process.pid}-${threadId}`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

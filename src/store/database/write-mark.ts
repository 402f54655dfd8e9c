import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { writeDurably } from './durable-file.ts';
import { clearPlace, createPrivateFolder } from './own-file.ts';
import type { StorePaths } from './paths.ts';

export interface Written {
  /** A random number that the database was given when it was made, or rescued. */
  readonly database: number;
  /** Transactions that were committed since. */
  readonly count: number;
}

/** Where a mark is: beside its database, or in the user's folder. */
export type Mark = Pick<StorePaths, 'mark'>;

/** The mark of a database in the user's folder, which stays when the folder of the database is put back or stripped. */
export const outerMark = (folder: string, database: number): Mark => ({
  mark: path.join(folder, 'belay-marks', hexadecimal(database, 12)),
});

/** Lines of the mark, one a process, by epoch; no two living processes are so many epochs apart. */
const LINES = 64;

/** `DATABASE COUNT CHECKSUM\n`: 12, 14 and 8 hexadecimal digits. Bytes. */
const LINE = 12 + 1 + 14 + 1 + 8 + 1;

const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** A pipe in the file's place is not waited for. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * Reads the mark beside the database. A line is written after its transaction is on disk, so the
 * mark is never ahead; torn lines count as none.
 */
export function readMarks({ mark }: Mark): Written[] {
  const bytes = Buffer.alloc(LINES * LINE);
  let length: number;
  try {
    const descriptor = openSync(mark, constants.O_RDONLY | NO_LINK | NO_WAIT);
    try {
      length = readSync(descriptor, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return []; // there is none, or none that can be read
  }
  const marks: Written[] = [];
  for (let at = 0; at + LINE <= length; at += LINE) {
    const read = parsed(bytes.toString('latin1', at, at + LINE));
    if (read !== undefined) marks.push(read);
  }
  return marks;
}

/** Writes the line of one process; its database is on disk up to there. */
export function writeMark({ mark }: Mark, epoch: number, written: Written): void {
  const descriptor = openSync(mark, constants.O_WRONLY | NO_LINK | NO_WAIT);
  try {
    writeSync(descriptor, lineOf(written), (epoch % LINES) * LINE, 'latin1');
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the mark anew, and its folder where it is missing, with nothing in it but this. */
export function renewMark(paths: Mark, epoch: number, written: Written): void {
  createPrivateFolder(path.dirname(paths.mark));
  clearPlace(paths.mark);
  const bytes = Buffer.alloc(LINES * LINE, ' ');
  bytes.write(lineOf(written), (epoch % LINES) * LINE, 'latin1');
  const beside = `${paths.mark}.new-${process.pid}-${threadId}`;
  clearPlace(beside);
  writeDurably(paths.mark, bytes, beside);
}

/** Puts the mark on disk, where that can be done. */
export function syncMark({ mark }: Mark): void {
  try {
    const descriptor = openSync(mark, constants.O_RDWR | NO_LINK | NO_WAIT);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // It is gone, or may not be written: the next start sees that.
  }
}

function lineOf({ database, count }: Written): string {
  const body = `${hexadecimal(database, 12)} ${hexadecimal(count, 14)}`;
  return `${body} ${hexadecimal(crc32(body), 8)}\n`;
}

function parsed(line: string): Written | undefined {
  const found = /^([0-9a-f]{12}) ([0-9a-f]{14}) [0-9a-f]{8}\n$/u.exec(line);
  if (found === null) return undefined;
  const [, database = '', count = ''] = found;
  const written = { database: Number.parseInt(database, 16), count: Number.parseInt(count, 16) };
  return lineOf(written) === line ? written : undefined;
}

const hexadecimal = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0');

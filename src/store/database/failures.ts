import { type Told, told } from '../../domain/text/told.ts';
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { BelayError, fault } from '../../domain/failure.ts';

/** The database's refusals, a closed list; in `details.reason` of a `store` failure. */
export type StoreReason =
  | 'disk_full' // retryable: nothing was lost, the same batch may be given again
  | 'busy' // retryable: another window kept the database longer than the busy timeout
  | 'gone' // the file was deleted or replaced while it was open: nothing written to it is kept
  | 'damaged' // the file is not a readable database
  | 'read_only'
  | 'not_openable' // a folder in its place, no rights, a path that does not exist
  | 'newer_version' // written by a newer Belay
  | 'foreign' // a database of another program
  | 'constraint' // a record that contradicts the others; a defect of the caller
  | 'io'
  | 'worker' // the store's worker thread ended
  | 'closed'
  | 'no_sqlite'
  | 'other';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); the table of this wire format. */
const REASONS: ReadonlyMap<number, StoreReason> = new Map([
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read_only'],
  [10, 'io'],
  [11, 'damaged'],
  [13, 'disk_full'],
  [14, 'not_openable'],
  [19, 'constraint'],
  [26, 'damaged'],
]);

/** Below this much room an input/output error is a full disk under another name. Bytes. */
const NO_ROOM = 256 * 1024;

export function storeError(reason: StoreReason, said: Told, cause?: unknown): BelayError {
  const retryable = reason === 'disk_full' || reason === 'busy' || reason === 'worker';
  return fault('store', said, { cause, details: { reason, retryable } });
}

/** The reason of a `store` failure; `undefined` for any other failure. */
export function reasonOf(thrown: unknown): StoreReason | undefined {
  if (!(thrown instanceof BelayError) || thrown.code !== 'store') return undefined;
  return thrown.failure.details?.['reason'] as StoreReason | undefined;
}

/** Turns what SQLite or the file system threw into a `BelayError`; anything else passes unchanged. */
export function databaseError(thrown: unknown, file: string): unknown {
  if (thrown instanceof BelayError || !(thrown instanceof Error)) return thrown;
  const errcode = (thrown as Error & { readonly errcode?: unknown }).errcode;
  const reason = typeof errcode === 'number' ? reasonFor(errcode, file) : fileReason(thrown, file);
  if (reason === undefined) return thrown;
  return storeError(reason, sentence(reason, file, thrown.message), thrown);
}

function reasonFor(errcode: number, file: string): StoreReason {
  const reason = REASONS.get(errcode & 0xff) ?? 'other';
  return reason === 'io' && roomLeft(file) < NO_ROOM ? 'disk_full' : reason;
}

function fileReason(thrown: Error, file: string): StoreReason | undefined {
  switch ((thrown as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'disk_full';
    case 'EROFS':
      return 'read_only';
    case 'EACCES':
    case 'EPERM':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOENT':
      return 'not_openable';
    case 'EIO':
      return roomLeft(file) < NO_ROOM ? 'disk_full' : 'io';
    default:
      return undefined;
  }
}

/** Bytes free for this user where the database is; `Infinity` when the system does not say. */
function roomLeft(file: string): number {
  try {
    const system = statfsSync(path.dirname(file));
    return system.bavail * system.bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function sentence(reason: StoreReason, file: string, detail: string): Told {
  switch (reason) {
    case 'disk_full':
      return told`The disk with ${file} is full, so the last step could not be recorded. Everything before it is kept; make room and go on.`;
    case 'busy':
      return told`Another window keeps the database ${file} busy. Nothing was lost; try again, or raise the setting belay.advanced.databaseTimeoutSeconds.`;
    case 'damaged':
      return told`The database ${file} is damaged (${detail}).`;
    case 'read_only':
      return told`The database ${file} is read-only, so nothing can be recorded. Its content is untouched; make the file and its folder writable, then reload the window.`;
    case 'not_openable':
      return told`The database ${file} cannot be opened (${detail}). Nothing was changed; check that its folder exists, is yours and is writable, then reload the window.`;
    case 'constraint':
      return told`A record contradicts what is stored (${detail}). Nothing of this step was recorded; the log has the details (Belay: Show Log).`;
    case 'io':
      return told`Reading or writing the database ${file} failed (${detail}). What was recorded before is kept; check the disk, then try again.`;
    case 'gone':
    case 'newer_version':
    case 'foreign':
    case 'worker':
    case 'closed':
    case 'no_sqlite':
    case 'other':
      return told`The database ${file} refused (${detail}). Nothing of this step was recorded; the log has the details (Belay: Show Log).`;
    default:
      return reason satisfies never;
  }
}

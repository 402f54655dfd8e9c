import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { stampOf } from './paths.ts';

/**
 * Moves aside, under a dated name, what is no writable file in the place of one of the store's own
 * that holds no data of the person. Gives where it is now.
 */
export function clearPlace(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return isOrdinary(file) && isWritable(file) ? undefined : moveAside(file);
}

/** Moves aside what stands in the place of one of the store's own folders and is none. */
export function clearFolderPlace(folder: string): void {
  const present = lstatSync(folder, { throwIfNoEntry: false });
  if (present !== undefined && !present.isDirectory()) moveAside(folder);
}

/** Renames something to a dated name that is free; a link itself, not what it leads to. */
export function moveAside(file: string): string {
  const base = `${file}.found-${stampOf(Date.now())}`;
  let aside = base;
  for (let copy = 2; existsSync(aside); copy += 1) aside = `${base}-${copy}`;
  renameSync(file, aside);
  return aside;
}

/** True for a file or nothing: no folder, link or pipe. */
export function isOrdinary(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** True for a file that may be read and written. */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Only the user reads and writes it. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
/** The permissions of the group and of others. */
const OTHERS = 0o077;

/** Creates a folder, and those above it, that only the user opens. An existing one stays as it is. */
export function createPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWN_FOLDER });
}

/**
 * Makes a file readable by the user alone, and creates it where it is missing. SQLite gives the files next to a
 * database the same permissions. Where that fails, opening the database reports why.
 */
export function makePrivate(file: string): void {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) closeSync(openSync(file, 'ax', OWN_FILE));
    else if (stat.isFile() && (stat.mode & OTHERS) !== 0) chmodSync(file, OWN_FILE);
  } catch {
    // A read-only folder, a file of another user, or another process was faster.
  }
}

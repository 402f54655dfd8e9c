import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { systemCode } from '../files/system-failure.ts';
import { HeldFolder } from './held-folder.ts';

/** Bytes; what stands in the place of a file and is larger is never replaced. */
const LARGEST = 64 * 2 ** 20;

/**
 * The leaf at a path below a folder, under exactly this name; no link on the way is followed.
 * @param manner `most`: bytes; a file that is larger is `other`. `link`: with `look` nothing is there when a folder
 *   on the way is a link
 * @throws BelayError `permission` with `stop`, when a folder on the way is a link
 */
export function leafBelow(
  root: string,
  name: string,
  {
    most = LARGEST,
    link = 'stop',
  }: { readonly most?: number; readonly link?: 'look' | 'stop' } = {},
): Leaf {
  const found = HeldFolder.within(root, name, link, (folder, last) => leafIn(folder, last, most));
  return found ?? { kind: 'absent' };
}

export function isFolderBelow(root: string, name: string): boolean {
  const found = HeldFolder.within(root, name, 'stop', (folder, last) =>
    statOf(folder.at(last))?.isDirectory(),
  );
  return found === true;
}

export function leafIn(folder: HeldFolder, name: string, most = LARGEST): Leaf {
  const at = folder.at(name);
  const stat = statOf(at);
  if (stat === undefined || stat.isDirectory() || !isExact(folder, name, stat))
    return { kind: 'absent' };
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(at);
    // A target that is no text could not be written back.
    return target.includes('\uFFFD')
      ? { kind: 'other', what: 'special' }
      : { kind: 'link', target };
  }
  if (!stat.isFile()) return { kind: 'other', what: 'special' };
  if (stat.size > most) return { kind: 'other', what: 'large' };
  const bytes = readRegular(at, most);
  return bytes === undefined
    ? { kind: 'other', what: 'special' }
    : { kind: 'file', bytes, mode: stat.mode & 0o777 };
}

/** A regular file's content up to `most` bytes, without waiting for pipes or following links. */
export function readRegular(at: string, most: number): Buffer | undefined {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(at, flags);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > most) return undefined;
    // In memory of its own: what other threads get is the whole memory that a buffer is a part of.
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes something new; it is on disk afterwards. Fails when something is there. */
export function writeLeaf(at: string, leaf: Leaf): void {
  if (leaf.kind === 'link') symlinkSync(leaf.target, at);
  if (leaf.kind !== 'file') return;
  const descriptor = openSync(
    at,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    leaf.mode,
  );
  try {
    let written = 0;
    while (written < leaf.bytes.length)
      written += writeSync(descriptor, leaf.bytes, written, leaf.bytes.length - written);
    // Windows knows the bit for writing only, and not by descriptor.
    if (process.platform === 'win32') chmodSync(at, leaf.mode);
    else fchmodSync(descriptor, leaf.mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function removeIfThere(at: string): void {
  try {
    unlinkSync(at);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
  }
}

function statOf(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOTDIR') return undefined;
    throw thrown;
  }
}

/** True when this very name is there: another spelling would hide a rename of case alone. */
function isExact(folder: HeldFolder, name: string, stat: Stats): boolean {
  const others = [swapped(name), name.normalize('NFC'), name.normalize('NFD')];
  const answers = others.some(
    (other) => other !== name && statOf(folder.at(other))?.ino === stat.ino,
  );
  return !answers || folder.names().includes(name);
}

const swapped = (name: string): string => {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
};

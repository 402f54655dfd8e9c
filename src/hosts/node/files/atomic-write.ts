import { told } from '../../../domain/text/told.ts';
import { type Stats, constants } from 'node:fs';
import { lstat, mkdir, open, readFile, readlink, realpath, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { changedMeanwhile, isReplaced } from '../../../core/files/changed-meanwhile.ts';
import type { WriteOptions } from '../../../core/ports/files/file-system.ts';
import type { BelayError } from '../../../domain/failure.ts';
import { fault } from '../../../domain/failure.ts';
import { systemCode } from './system-failure.ts';
import { UnfinishedWrites } from './unfinished-writes.ts';

/** Linux lets a folder be used through its open handle, whatever its path leads to by now. */
const HANDLES_HAVE_PATHS = process.platform === 'linux';

/** Files here may be links to a package manager's store, shared with other projects. */
const PACKAGES = /[\\/](?:node_modules|\.venv|venv|site-packages|\.pnpm-store|\.git)[\\/]/u;

interface HeldFolder {
  /** The folder's real path, checked after it was opened. */
  readonly real: string;
  /** Put before a name; cannot be redirected by exchanging a folder for a link. */
  readonly prefix: string;
  readonly handle?: FileHandle;
}

/**
 * Replaces a file in one step: a new one beside it, flushed, then renamed over it. Parents are
 * made. A file with other names, or a foreign owner, is written in place, and restored when that
 * fails. `real` has no links: folders on the way are checked after opening (CWE-367). `replaces` is
 * compared last.
 */
export async function writeAtomically(
  real: string,
  content: Uint8Array,
  { replaces, mode }: Pick<WriteOptions, 'replaces' | 'mode'> = {},
  unfinished?: UnfinishedWrites,
): Promise<void> {
  const folder = await holdFolder(path.dirname(real));
  try {
    const target = path.join(folder.prefix, path.basename(real));
    const present = await lstat(target).catch((thrown: unknown) => {
      if (systemCode(thrown) === 'ENOENT') return undefined;
      throw thrown;
    });
    // A rename would put a file in its place, and leave what it leads to as it is.
    if (present?.isSymbolicLink() === true) throw redirected(real);
    if (present?.isDirectory() === true)
      throw Object.assign(new Error('folder'), { code: 'EISDIR' });
    if (present !== undefined && !present.isFile())
      throw Object.assign(new Error('special file'), { code: 'EINVAL' });
    // A rename would replace a read-only file without a word.
    if (present !== undefined && (present.mode & 0o222) === 0) throw readOnly(real);
    const check = (): Promise<void> => stillIs(target, replaces, real);
    if (present !== undefined && present.nlink > 1 && !PACKAGES.test(real)) {
      await check();
      return await writeInPlace(target, content);
    }
    await replace({
      folder,
      target,
      content,
      present,
      mode: present?.mode ?? mode,
      check,
      unfinished,
    });
  } finally {
    await folder.handle?.close();
  }
}

interface Replacement {
  readonly folder: HeldFolder;
  readonly target: string;
  readonly content: Uint8Array;
  /** The file that is there. */
  readonly present: Pick<Stats, 'uid' | 'gid'> | undefined;
  /** Of the file that is there, or is to be there. */
  readonly mode: number | undefined;
  readonly check: () => Promise<void>;
  readonly unfinished: UnfinishedWrites | undefined;
}

async function replace(replacement: Replacement): Promise<void> {
  const { folder, unfinished } = replacement;
  const name = UnfinishedWrites.temporaryName();
  const finished = await unfinished?.begin(path.join(folder.real, name));
  try {
    await writeBeside(replacement, path.join(folder.prefix, name));
  } finally {
    await finished?.();
  }
}

async function writeBeside(replacement: Replacement, temporary: string): Promise<void> {
  const { folder, target, content, present, mode, check } = replacement;
  let handle: FileHandle;
  try {
    handle = await open(temporary, 'wx', mode === undefined ? 0o666 : mode & 0o777);
  } catch (thrown) {
    // The file may be writable where its folder is not: then there is no way but in place.
    if (systemCode(thrown) !== 'EACCES' || mode === undefined) throw thrown;
    await check();
    return writeInPlace(target, content);
  }
  let isOwnerKept = false;
  try {
    try {
      isOwnerKept = present === undefined || (await takesOwner(handle, present));
      if (isOwnerKept) await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!HANDLES_HAVE_PATHS) await sameFolder(folder.real);
    await check();
    if (!isOwnerKept) {
      await unlink(temporary);
      return await writeInPlace(target, content);
    }
    await rename(temporary, target);
  } catch (thrown) {
    await unlink(temporary).catch(() => undefined);
    throw thrown;
  }
}

async function stillIs(
  target: string,
  replaces: WriteOptions['replaces'],
  real: string,
): Promise<void> {
  if (replaces === undefined) return;
  const present = await readFile(target).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (!isReplaced(replaces, present)) throw changedMeanwhile(real, replaces, present !== undefined);
}

/** True when a new file belongs to the owner of the one that it replaces. */
async function takesOwner(
  handle: FileHandle,
  { uid, gid }: Pick<Stats, 'uid' | 'gid'>,
): Promise<boolean> {
  const made = await handle.stat();
  if (made.uid === uid && made.gid === gid) return true;
  return handle.chown(uid, gid).then(
    () => true,
    () => false,
  );
}

/** Never shorter than both contents while it is written, and as it was when that fails. */
async function writeInPlace(target: string, content: Uint8Array): Promise<void> {
  const handle = await open(target, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const before = await handle.readFile();
    try {
      await overwrite(handle, content);
    } catch (thrown) {
      await overwrite(handle, before).catch(() => undefined);
      throw thrown;
    }
  } finally {
    await handle.close();
  }
}

async function overwrite(handle: FileHandle, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length;) {
    const { bytesWritten } = await handle.write(content, at, content.length - at, at);
    at += bytesWritten;
  }
  await handle.truncate(content.length);
  await handle.sync();
}

/** Opens a folder, making it and its parents where they are missing, without following links. */
async function holdFolder(real: string): Promise<HeldFolder> {
  if (!HANDLES_HAVE_PATHS) {
    await mkdir(real, { recursive: true });
    await sameFolder(real);
    return { real, prefix: real };
  }
  let handle: FileHandle;
  try {
    handle = await openFolder(real);
  } catch (thrown) {
    const parent = path.dirname(real);
    if (systemCode(thrown) !== 'ENOENT' || parent === real) throw await linked(real, thrown);
    const outer = await holdFolder(parent);
    try {
      const inner = path.join(outer.prefix, path.basename(real));
      await mkdir(inner).catch((failed: unknown) => {
        if (systemCode(failed) !== 'EEXIST') throw failed;
      });
      handle = await openFolder(inner);
    } catch (failed) {
      throw await linked(real, failed);
    } finally {
      await outer.handle?.close();
    }
  }
  const prefix = `/proc/self/fd/${handle.fd}`;
  if ((await readlink(prefix)) !== real) {
    await handle.close();
    throw redirected(real);
  }
  return { real, prefix, handle };
}

function openFolder(folder: string): Promise<FileHandle> {
  return open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

async function sameFolder(real: string): Promise<void> {
  if ((await realpath(real)) !== real) throw redirected(real);
}

/** With O_NOFOLLOW and O_DIRECTORY, a link in the last place is told as ELOOP or ENOTDIR. */
async function linked(real: string, thrown: unknown): Promise<unknown> {
  const code = systemCode(thrown);
  if (code !== 'ELOOP' && code !== 'ENOTDIR') return thrown;
  const found = await lstat(real).catch(() => undefined);
  return found?.isSymbolicLink() === true ? redirected(real) : thrown;
}

function redirected(real: string): BelayError {
  const message = told`${real} became a link to another place while it was being written to. Nothing was written. Look at it before you try again.`;
  return fault('permission', message, { details: { path: real } });
}

function readOnly(real: string): BelayError {
  const message = told`${real} is read-only. Nothing was changed. Make it writable, or ask the person to.`;
  return fault('permission', message, { details: { path: real } });
}

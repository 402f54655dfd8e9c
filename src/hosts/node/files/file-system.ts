import { constants } from 'node:fs';
import {
  access,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { BelayError } from '../../../domain/failure.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { ChangeOptions } from '../../../core/ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../../../core/ports/files/file-system.ts';
import { writeAtomically } from './atomic-write.ts';
import { systemCode, systemFailure } from './system-failure.ts';
import type { UnfinishedWrites } from './unfinished-writes.ts';

/** Links that may follow one another before it counts as a loop; Linux's own limit. */
const MOST_LINKS = 40;

/** The machine's files, regular ones only: a pipe would never end. `delete` is final here. */
export class NodeFileSystem implements FileSystem {
  readonly #unfinished: UnfinishedWrites | undefined;

  /** @param unfinished notes what a kill in the middle of a write would leave beside the file */
  constructor(unfinished?: UnfinishedWrites) {
    this.#unfinished = unfinished;
  }

  async read(file: string, maxBytes = Infinity, options: ReadOptions = {}): Promise<Uint8Array> {
    return withFile(file, options, async (handle, size) => {
      if (size > maxBytes) throw tooLarge(file, size, maxBytes);
      // One byte more than allowed: files of /proc say 0, and a file may grow while it is read.
      const content = await readUpTo(handle, 0, Math.max(size, Math.min(maxBytes, 65_536)) + 1);
      if (content.length > maxBytes) throw tooLarge(file, content.length, maxBytes);
      return content;
    });
  }

  async readPart(
    file: string,
    offset: number,
    length: number,
    options: ReadOptions = {},
  ): Promise<Uint8Array> {
    return withFile(file, options, async (handle, size) => {
      const most = size === 0 ? length : Math.max(0, Math.min(length, size - offset));
      return readUpTo(handle, offset, most);
    });
  }

  async write(file: string, content: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const real = options.exact === true ? path.resolve(file) : await this.realpath(file);
    try {
      await writeAtomically(real, content, options, this.#unfinished);
      options.changed?.(real, content);
    } catch (thrown) {
      throw systemFailure(file, thrown);
    }
  }

  async stat(file: string): Promise<FileStat | undefined> {
    try {
      const [found, isOpen] = await Promise.all([stat(file), mayWrite(file)]);
      const type = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
      const writable = (found.mode & 0o222) !== 0 && isOpen;
      const { size, mtimeMs: modifiedAt, nlink: names } = found;
      const executable = process.platform !== 'win32' && (found.mode & 0o111) !== 0;
      return { type, size, modifiedAt, readOnly: !writable, names, executable };
    } catch (thrown) {
      const code = systemCode(thrown);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw systemFailure(file, thrown);
    }
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.map((entry) => ({
        name: entry.name,
        type: entry.isSymbolicLink()
          ? 'symlink'
          : entry.isFile()
            ? 'file'
            : entry.isDirectory()
              ? 'directory'
              : 'other',
      }));
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOTDIR') {
        throw fault('invalid', told`${folder} is a file, not a folder. Use read_file for files.`);
      }
      throw systemFailure(folder, thrown);
    }
  }

  async realpath(file: string): Promise<string> {
    try {
      return await realOf(path.resolve(file), MOST_LINKS);
    } catch (thrown) {
      throw systemFailure(file, thrown);
    }
  }

  async delete(file: string, { changed }: ChangeOptions = {}): Promise<void> {
    try {
      await rm(file, { recursive: true });
      changed?.(file, undefined);
    } catch (thrown) {
      throw systemFailure(file, thrown);
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const { dev, ino } = await lstat(from).catch((thrown: unknown) => {
      throw systemFailure(from, thrown);
    });
    try {
      const taken = await lstat(to).catch(() => undefined);
      // Where the system minds no case, both names are of one file.
      const isOnlyCase = taken?.dev === dev && taken.ino === ino && isCaseOf(from, to);
      if (taken !== undefined && !isOnlyCase)
        throw Object.assign(new Error('exists'), { code: 'EEXIST' });
      await mkdir(path.dirname(to), { recursive: true });
      await rename(from, to);
    } catch (thrown) {
      throw systemFailure(to, thrown);
    }
  }
}

function isCaseOf(from: string, to: string): boolean {
  return from !== to && from.toLowerCase() === to.toLowerCase();
}

/** Follows links also where their targets are missing, so that nobody is sent elsewhere by one. */
async function realOf(file: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(file);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
    const parent = path.dirname(file);
    if (parent === file) throw thrown;
    const target = await readlink(file).catch(() => undefined);
    if (target === undefined)
      return path.join(await realOf(parent, linksLeft), path.basename(file));
    if (linksLeft === 0) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
    return realOf(path.resolve(await realOf(parent, linksLeft), target), linksLeft - 1);
  }
}

async function mayWrite(file: string): Promise<boolean> {
  return access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Opens a regular file without blocking on pipes, and closes it whatever happens. */
async function withFile<T>(
  file: string,
  { exact = false }: ReadOptions,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    const noLinks = exact ? (constants.O_NOFOLLOW ?? 0) : 0;
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noLinks);
    const [found] = await Promise.all([
      handle.stat(),
      exact ? requireSamePlace(handle, path.resolve(file)) : undefined,
    ]);
    if (found.isDirectory()) throw Object.assign(new Error('folder'), { code: 'EISDIR' });
    if (!found.isFile()) {
      const message = told`${file} is not a regular file (a pipe, socket or device) and is not read.`;
      throw fault('invalid', message);
    }
    return await use(handle, found.size);
  } catch (thrown) {
    // With O_NOFOLLOW a link in the last place is told as a loop.
    if (exact && systemCode(thrown) === 'ELOOP') throw redirected(file);
    throw systemFailure(file, thrown);
  } finally {
    await handle?.close();
  }
}

/** Checks that an opened file lies where its path says: no link on the way (CWE-367). */
async function requireSamePlace(handle: FileHandle, file: string): Promise<void> {
  if (process.platform === 'linux') {
    const opened = await readlink(`/proc/self/fd/${handle.fd}`);
    // An editor may have put a new file in its place just now: the old one is in no wrong place.
    if (opened !== file && opened !== `${file} (deleted)`) throw redirected(file);
    return;
  }
  const [opened, there, real] = await Promise.all([handle.stat(), stat(file), realpath(file)]);
  if (real !== file || opened.ino !== there.ino || opened.dev !== there.dev) throw redirected(file);
}

function redirected(file: string): BelayError {
  const message = told`${file} became a link to another place after it was looked at. Nothing was read. Look at what is there now before you try again.`;
  return fault('permission', message, { details: { path: file } });
}

async function readUpTo(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function tooLarge(file: string, size: number, maxBytes: number): BelayError {
  const message = told`${file} has ${size} bytes, more than the ${maxBytes} that are read at once. Read a part of it.`;
  return fault('invalid', message, { details: { path: file, size, maxBytes } });
}

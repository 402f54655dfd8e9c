import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type {
  FileOperations,
  NamedEntry,
  Removed,
} from '../../../core/ports/files/file-operations.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { systemCode, systemFailure } from './system-failure.ts';

/** Files and folders that one copy may hold; more is rather a mistake. */
const MOST_COPIED = 20_000;
/** Milliseconds that what was removed is kept. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

/** The files of the machine, which has no trash that programs can use: what is removed is kept aside. */
export class NodeFileOperations implements FileOperations {
  readonly #keepIn: string;

  /** @param keepIn a folder of Belay's own for what is removed; made when it is needed */
  constructor(keepIn: string) {
    this.#keepIn = keepIn;
  }

  async lookUp(file: string): Promise<NamedEntry | undefined> {
    try {
      const found = await lstat(file);
      const type = found.isSymbolicLink()
        ? 'symlink'
        : found.isFile()
          ? 'file'
          : found.isDirectory()
            ? 'directory'
            : 'other';
      return { type, id: `${found.dev}:${found.ino}` };
    } catch (thrown) {
      const code = systemCode(thrown);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw systemFailure(file, thrown);
    }
  }

  async createFolder(folder: string): Promise<readonly string[]> {
    try {
      await refuseTaken(folder);
      const first = await mkdir(folder, { recursive: true });
      if (first === undefined) return [];
      const made = [folder];
      for (let at = folder; at !== first && path.dirname(at) !== at; at = path.dirname(at))
        made.unshift(path.dirname(at));
      return made;
    } catch (thrown) {
      throw systemFailure(folder, thrown);
    }
  }

  async removeEmptyFolder(folder: string): Promise<void> {
    try {
      await rmdir(folder);
    } catch (thrown) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(thrown) ?? ''))
        throw systemFailure(folder, thrown);
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const moved = await this.#there(from);
    try {
      const taken = await this.lookUp(to);
      const isOnlyCase = taken?.id === moved.id && from.toLowerCase() === to.toLowerCase();
      if (taken !== undefined && !isOnlyCase) throw exists();
      await moveTo(from, to);
    } catch (thrown) {
      throw systemFailure(to, thrown);
    }
  }

  async copy(from: string, to: string, signal: AbortSignal): Promise<void> {
    await this.#there(from);
    await refuseTaken(to).catch((thrown: unknown) => {
      throw systemFailure(to, thrown);
    });
    let count = 0;
    try {
      await cp(from, to, {
        recursive: true,
        errorOnExist: true,
        force: false,
        verbatimSymlinks: true,
        filter: () => {
          throwIfAborted(signal);
          count += 1;
          if (count > MOST_COPIED) throw tooMany(from);
          return true;
        },
      });
    } catch (thrown) {
      if (systemCode(thrown) === 'ERR_FS_CP_EINVAL') throw intoItself(from, to);
      await rm(to, { recursive: true, force: true });
      throw systemFailure(to, thrown);
    }
  }

  async remove(file: string): Promise<Removed> {
    await this.#there(file);
    try {
      await clearFolderPlace(this.#keepIn);
      await forgetOld(this.#keepIn);
      const folder = path.join(this.#keepIn, randomUUID());
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = path.join(folder, path.basename(file));
      await moveTo(file, kept);
      return { to: 'kept', path: kept };
    } catch (thrown) {
      throw systemFailure(file, thrown);
    }
  }

  async #there(file: string): Promise<NamedEntry> {
    const found = await this.lookUp(file);
    if (found !== undefined) return found;
    throw systemFailure(file, Object.assign(new Error('missing'), { code: 'ENOENT' }));
  }
}

/** Puts aside a file in the place of Belay's own folder. */
async function clearFolderPlace(folder: string): Promise<void> {
  const present = await lstat(folder).catch(() => undefined);
  if (present !== undefined && !present.isDirectory())
    await rename(folder, `${folder}.found-${Date.now()}`);
}

async function refuseTaken(file: string): Promise<void> {
  const taken = await lstat(file).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (taken !== undefined) throw exists();
}

/** To another disk it is a copy, and the original goes last. */
async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (thrown) {
    if (systemCode(thrown) === 'EINVAL') throw intoItself(from, to);
    if (systemCode(thrown) !== 'EXDEV') throw thrown;
    try {
      await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    } catch (failed) {
      await rm(to, { recursive: true, force: true });
      throw failed;
    }
    await rm(from, { recursive: true });
  }
}

/** Deletes for good what was removed long ago. */
async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const entry = path.join(folder, name);
    const found = await stat(entry).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_FOR)
      await rm(entry, { recursive: true, force: true });
  }
}

function exists(): Error {
  return Object.assign(new Error('exists'), { code: 'EEXIST' });
}

function intoItself(from: string, to: string): BelayError {
  return fault('invalid', told`${from} cannot be put into itself (${to}). Nothing was changed.`);
}

function tooMany(from: string): BelayError {
  const message = told`${from} holds more than ${MOST_COPIED} files and was not copied. Copy a part of it, or use a command.`;
  return fault('invalid', message);
}

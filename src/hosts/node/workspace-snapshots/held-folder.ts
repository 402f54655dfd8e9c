import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { systemCode } from '../files/system-failure.ts';
import { isRepositoryName } from './repository-name.ts';

/** Linux lets a folder be used through its open handle, whatever its path leads to by now. */
const HANDLES_HAVE_PATHS = process.platform === 'linux';

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Missing folders on the way: made, or nothing is done; `look` takes a link for a missing one. */
export type Missing = 'make' | 'stop' | 'look';

/** An open folder: on Linux no exchange for a link leads away; elsewhere it is checked. */
export class HeldFolder {
  /** Its real place. */
  readonly real: string;
  readonly #descriptor: number | undefined;

  private constructor(real: string, descriptor: number | undefined) {
    this.real = real;
    this.#descriptor = descriptor;
  }

  /**
   * Walks from a workspace folder to the one that a path lies in, following no link.
   * @param root absolute and real
   * @param name below the root, with `/`
   * @returns what the callback gives; `undefined` when a folder is missing and was not to be made,
   * or is something else
   * @throws BelayError `permission` when the way leads elsewhere; with `look` only when the name
   * does
   */
  static within<Value>(
    root: string,
    name: string,
    missing: Missing,
    use: (folder: HeldFolder, last: string) => Value,
  ): Value | undefined {
    const parts = partsOf(name);
    const last = parts.pop() ?? '';
    let folder = HeldFolder.#open(root, root);
    if (folder === undefined) return undefined;
    try {
      for (const part of parts) {
        const inner: HeldFolder | undefined = folder.#inner(part, name, missing);
        if (inner === undefined) return undefined;
        folder.#close();
        folder = inner;
      }
      return use(folder, last);
    } finally {
      folder.#close();
    }
  }

  /** A path to something directly in it, for one use at once. */
  at(name: string): string {
    if (this.#descriptor !== undefined) return `/proc/self/fd/${this.#descriptor}/${name}`;
    if (realpathSync(this.real) !== this.real) throw leadsElsewhere(this.real);
    return path.join(this.real, name);
  }

  names(): string[] {
    return readdirSync(this.#descriptor === undefined ? this.real : this.at('.'));
  }

  /** Puts what was renamed in it on disk. */
  sync(): void {
    // Other systems need no handle of the folder for it, or have none.
    if (this.#descriptor !== undefined) fsyncSync(this.#descriptor);
  }

  /** Sets its permission bits, where there are any. */
  chmod(mode: number): void {
    if (this.#descriptor !== undefined) fchmodSync(this.#descriptor, mode);
  }

  #inner(part: string, name: string, missing: Missing): HeldFolder | undefined {
    const real = path.join(this.real, part);
    const at = this.at(part);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (missing !== 'make') return undefined;
      mkdirSync(at);
    } else if (stat.isSymbolicLink()) {
      if (missing === 'look') return undefined;
      throw leadsElsewhere(name);
    } else if (!stat.isDirectory()) return undefined;
    return HeldFolder.#open(at, real);
  }

  static #open(at: string, real: string): HeldFolder | undefined {
    if (!HANDLES_HAVE_PATHS) {
      if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
      if (realpathSync(at) !== real) throw leadsElsewhere(real);
      return new HeldFolder(real, undefined);
    }
    let descriptor: number;
    try {
      descriptor = openSync(at, FOLDER);
    } catch (thrown) {
      const code = systemCode(thrown);
      // Exchanged for a link just now.
      if (code === 'ELOOP' || (code === 'ENOTDIR' && isLink(at))) throw leadsElsewhere(real);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw thrown;
    }
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== real) {
      closeSync(descriptor);
      throw leadsElsewhere(real);
    }
    return new HeldFolder(real, descriptor);
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

const isLink = (at: string): boolean =>
  lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Fails with `permission` when a name leads out of its folder or into a repository. */
function partsOf(name: string): string[] {
  const parts = name.split('/');
  const isWrong = parts.some(
    (part) =>
      part === '' ||
      part === '.' ||
      part === '..' ||
      part.includes(path.sep) ||
      part.includes('\0') ||
      isRepositoryName(part),
  );
  if (isWrong) throw leadsElsewhere(name);
  return parts;
}

const leadsElsewhere = (name: string): BelayError =>
  fault(
    'permission',
    told`${name} leads to another place than it did: a folder on the way has become a link, or it must not be changed.`,
  );

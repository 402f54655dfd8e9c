import type { ChangeOptions } from '../ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../ports/files/file-system.ts';

/**
 * The files as tools have them: by the real paths that were judged, each checked again on the open
 * handle, so that a folder exchanged for a link leads nowhere (security, rule 4).
 */
export class GuardedFiles implements FileSystem {
  readonly #files: FileSystem;

  constructor(files: FileSystem) {
    this.#files = files;
  }

  read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    return this.#files.read(path, maxBytes, { ...options, exact: true });
  }

  readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    return this.#files.readPart(path, offset, length, { ...options, exact: true });
  }

  write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#files.write(path, content, { ...options, exact: true });
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.#files.stat(path);
  }

  list(path: string): Promise<readonly FileEntry[]> {
    return this.#files.list(path);
  }

  realpath(path: string): Promise<string> {
    return this.#files.realpath(path);
  }

  delete(path: string, options?: ChangeOptions): Promise<void> {
    return this.#files.delete(path, options);
  }

  rename(from: string, to: string, options?: ChangeOptions): Promise<void> {
    return this.#files.rename(from, to, options);
  }
}

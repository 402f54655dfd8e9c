import type { ChangeOptions } from './change-origin.ts';

/** Files of the workspace. Paths are absolute; errors are `BelayError` code `not_found`, `permission` or `tool`. */
export interface FileSystem {
  /** Fails with `invalid` when the file is larger than `maxBytes`. */
  read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array>;
  /** Bytes `offset` to `offset + length`; shorter at the end of the file, empty behind it. */
  readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array>;
  /** Writes the whole file, atomically where the system can; creates parents, keeps the mode, writes through a link. */
  write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void>;
  stat(path: string): Promise<FileStat | undefined>;
  list(path: string): Promise<readonly FileEntry[]>;
  /**
   * The path without links; of a missing one, its nearest parent's, and the rest. A dangling link counts as its target.
   */
  realpath(path: string): Promise<string>;
  /** To the trash where there is one. */
  delete(path: string, options?: ChangeOptions): Promise<void>;
  /** Creates parents, replaces nothing. */
  rename(from: string, to: string, options?: ChangeOptions): Promise<void>;
}

export interface ReadOptions {
  /** Fails with `permission` when a part of the path has become a link since it was judged. */
  readonly exact?: boolean;
}

export interface WriteOptions extends ChangeOptions {
  /** Fails with `permission` when a part of the path has become a link since it was judged. */
  readonly exact?: boolean;
  /**
   * The content that is to be replaced, or `nothing`: with another one there, nothing is written and it fails with
   * `invalid`, its `details.reason` being `changed`.
   */
  readonly replaces?: Uint8Array | 'nothing';
  /** Permission bits of a file that is made; one that is there keeps its own. */
  readonly mode?: number;
}

export interface FileStat {
  readonly type: 'file' | 'directory' | 'other';
  readonly size: number;
  readonly modifiedAt: number;
  readonly readOnly: boolean;
  /** Names that lead to the same file (hard links); absent: not known. */
  readonly names?: number;
  /** An editor has a text of it that nobody saved: that is what is read and written, not the disk. */
  readonly unsaved?: boolean;
  /** The system would run it as a program; absent: not known. */
  readonly executable?: boolean;
}

export interface FileEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
}

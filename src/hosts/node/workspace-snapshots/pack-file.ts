import {
  closeSync,
  fstatSync,
  ftruncateSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** Name, inode, and bytes at that time at least. */
export type PackMark = readonly [name: string, inode: number, bytes: number];

/** A pack's open file. Appended to only; an unfinished end is cut off. */
export class PackFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #inode: number;
  #unsynced = false;

  constructor(file: string, mode: 'read' | 'write') {
    this.path = file;
    this.#descriptor = openSync(file, mode === 'write' ? 'a+' : 'r', 0o600);
    this.#inode = fstatSync(this.#descriptor).ino;
  }

  get size(): number {
    return fstatSync(this.#descriptor).size;
  }

  /** Bytes of the file that has the name now; `undefined`: it is not the one that was opened. */
  get sizeInPlace(): number | undefined {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    return stat?.ino === this.#inode ? stat.size : undefined;
  }

  /** By which it is known again; what was in it then still is. */
  get mark(): PackMark {
    return [path.basename(this.path), this.#inode, this.size];
  }

  /** Fills the buffer from a place in the file; gives the bytes that there were. */
  read(buffer: Uint8Array, at: number): number {
    return readSync(this.#descriptor, buffer, 0, buffer.length, at);
  }

  /** Whole, or as if nothing had been tried: what a full disk cut off would shift everything behind it. */
  append(record: Uint8Array, end: number): void {
    let written = 0;
    try {
      while (written < record.length)
        written += writeSync(this.#descriptor, record, written, record.length - written);
    } catch (thrown) {
      this.cut(end);
      throw thrown;
    }
    this.#unsynced = true;
  }

  cut(end: number): void {
    ftruncateSync(this.#descriptor, end);
  }

  /** Everything appended before is on disk afterwards. */
  sync(): void {
    if (!this.#unsynced) return;
    fsyncSync(this.#descriptor);
    this.#unsynced = false;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  remove(): void {
    this.close();
    unlinkSync(this.path);
  }
}

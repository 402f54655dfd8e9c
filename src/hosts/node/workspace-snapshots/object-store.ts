import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { systemCode } from '../files/system-failure.ts';
import { hashOf, Pack } from './pack.ts';
import type { PackMark } from './pack-file.ts';

/** Bytes of a pack after which a new one is begun: a sweep rewrites whole packs. */
const PACK_BYTES = 256 * 2 ** 20;

const PACK_NAME = /^[\w-]+\.pack$/u;

/** Content-addressed objects in packs, each stored once; processes append to their own. */
export class ObjectStore {
  readonly #folder: string;
  readonly #name: string;
  readonly #packs = new Map<string, Pack>();
  #own: Pack | undefined;
  #count = 0;
  #losses = 0;

  /** @param name of this process among all that write to the folder, now and later: letters, digits, `-` */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    this.look();
  }

  /** Bytes on disk. */
  get bytes(): number {
    return [...this.#packs.values()].reduce((sum, pack) => sum + pack.bytes, 0);
  }

  /** Rises when objects may have gone: as long as it is the same, what was there still is. */
  get losses(): number {
    return this.#losses;
  }

  /** By which another process knows that what was there still is. */
  get marks(): readonly PackMark[] {
    return [...this.#packs.values()].map(({ file }) => file.mark);
  }

  /** True when everything is there that was when the marks were taken. */
  holds(marks: readonly PackMark[]): boolean {
    const here = new Map(this.marks.map(([name, inode, bytes]) => [name, { inode, bytes }]));
    return marks.every(([name, inode, bytes]) => {
      const pack = here.get(name);
      return pack?.inode === inode && pack.bytes >= bytes;
    });
  }

  has(hash: string): boolean {
    return this.#packOf(hash) !== undefined;
  }

  /** Fails with `store` when there is no room for it. */
  put(bytes: Uint8Array): string {
    const hash = hashOf(bytes);
    if (this.#packOf(hash) !== undefined) return hash;
    try {
      this.#writable().put(hash, bytes);
    } catch (thrown) {
      throw notStored(thrown);
    }
    return hash;
  }

  /** Fails with `not_found` when the object is not there (any more), with `store` when it is damaged. */
  get(hash: string): Buffer {
    if (this.#packOf(hash) === undefined) this.#lookAgain();
    let damaged: BelayError | undefined;
    for (const pack of this.#packs.values()) {
      try {
        const bytes = pack.get(hash);
        if (bytes !== undefined) return bytes;
      } catch (thrown) {
        // Another pack may have it whole. Where none has, it is stored again when it is next seen.
        pack.forget(hash);
        this.#losses += 1;
        if (!(thrown instanceof BelayError)) throw thrown;
        damaged = thrown;
      }
    }
    throw damaged ?? notThere();
  }

  /** Fails with `store` when the disk refuses. */
  sync(): void {
    try {
      this.#own?.file.sync();
    } catch (thrown) {
      throw notStored(thrown);
    }
  }

  /**
   * Gives all other objects' space back; nobody else may be writing.
   * @param wanted every object that must stay
   * @param slack packs stay as they are of which at most this share is not wanted
   */
  sweep(wanted: ReadonlySet<string>, slack = 0.5): void {
    this.look();
    for (const pack of this.#packs.values()) {
      const kept = [...pack.hashes()].filter((hash) => wanted.has(hash));
      if (pack.bytes > 0 && pack.bytesOf(kept) >= pack.bytes * (1 - slack)) continue;
      if (pack === this.#own) this.#own = undefined;
      this.#packs.delete(pack.file.path);
      this.#losses += 1;
      for (const hash of kept) {
        const bytes = pack.get(hash);
        if (bytes !== undefined) this.#writable().put(hash, bytes);
      }
      this.sync();
      pack.file.remove();
    }
  }

  close(): void {
    for (const pack of this.#packs.values()) pack.file.close();
    this.#packs.clear();
    this.#own = undefined;
  }

  #packOf(hash: string): Pack | undefined {
    for (const pack of this.#packs.values()) if (pack.has(hash)) return pack;
    return undefined;
  }

  #lookAgain(): void {
    this.look();
    for (const pack of this.#packs.values()) if (pack !== this.#own) pack.refresh();
  }

  /** Learns which packs others have added or swept away, and which are not what they were. */
  look(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const [file, pack] of this.#packs) {
      if (pack.isAsKnown(pack === this.#own)) continue;
      this.#packs.delete(file);
      this.#losses += 1;
      if (pack === this.#own) this.#own = undefined;
      pack.file.close();
    }
    // A pipe in a file's place would be waited for.
    const entries = readdirSync(this.#folder, { withFileTypes: true });
    for (const { name } of entries.filter((one) => one.isFile() && PACK_NAME.test(one.name))) {
      const file = path.join(this.#folder, name);
      if (!this.#packs.has(file)) this.#packs.set(file, new Pack(file, 'read'));
    }
  }

  #writable(): Pack {
    if (this.#own !== undefined && this.#own.bytes < PACK_BYTES) return this.#own;
    this.#own?.file.sync();
    let file: string;
    do {
      this.#count += 1;
      file = path.join(this.#folder, `${this.#name}-${this.#count}.pack`);
    } while (this.#packs.has(file) || existsSync(file));
    this.#own = new Pack(file, 'write');
    this.#packs.set(file, this.#own);
    return this.#own;
  }
}

const notStored = (thrown: unknown): BelayError =>
  fault(
    'store',
    told`The checkpoint of the workspace could not be stored (${systemCode(thrown) ?? String(thrown)}). Make room on the disk; what is changed until then cannot be taken back.`,
  );

const notThere = (): BelayError =>
  fault(
    'not_found',
    told`What this snapshot of the workspace held is not there any more: it was cleaned up to save space, or its storage was damaged. Nothing was changed.`,
  );

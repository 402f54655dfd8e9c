import { hash as hashOnce } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { PackFile } from './pack-file.ts';

/** Of an object: SHA-256 (32 bytes), 1 when deflated, length as it is, length as stored. */
const HEADER = 32 + 1 + 4 + 4;
/** Bytes; smaller objects gain nothing from being deflated. */
const WORTH_DEFLATING = 128;
/** The fastest level: a snapshot must not be waited for, and text shrinks well enough. */
const LEVEL = 1;
/** Bytes that are read at once while headers are looked for: most objects are far smaller. */
const WINDOW = 64 * 1024;

interface Place {
  readonly offset: number;
  readonly isDeflated: boolean;
  /** Bytes of the object as it is. */
  readonly size: number;
  readonly stored: number;
}

export const hashOf = (bytes: Uint8Array): string => hashOnce('sha256', bytes, 'hex');

/** Objects in one file, each under its SHA-256. */
export class Pack {
  readonly file: PackFile;
  readonly #places = new Map<string, Place>();
  #end = 0;
  /** Its objects are looked for when first asked for. */
  #scanned = false;

  /** @param mode `write`: its only writer; `read`: another process may be appending to it */
  constructor(file: string, mode: 'read' | 'write') {
    this.file = new PackFile(file, mode);
    if (mode === 'read') return;
    this.#scan();
    this.file.cut(this.#end);
  }

  get bytes(): number {
    this.#scanOnce();
    return this.#end;
  }

  /** Bytes on disk of some of its objects. */
  bytesOf(hashes: readonly string[]): number {
    this.#scanOnce();
    return hashes.reduce((sum, hash) => sum + HEADER + (this.#places.get(hash)?.stored ?? 0), 0);
  }

  hashes(): IterableIterator<string> {
    this.#scanOnce();
    return this.#places.keys();
  }

  has(hash: string): boolean {
    this.#scanOnce();
    return this.#places.has(hash);
  }

  /** Reads what another process has appended meanwhile. */
  refresh(): void {
    this.#scan();
  }

  put(hash: string, bytes: Uint8Array): void {
    if (this.#places.has(hash)) return;
    const smaller =
      bytes.length < WORTH_DEFLATING ? undefined : deflateRawSync(bytes, { level: LEVEL });
    const isDeflated = smaller !== undefined && smaller.length < bytes.length;
    const stored = isDeflated ? smaller : bytes;
    const record = Buffer.allocUnsafe(HEADER + stored.length);
    record.write(hash, 0, 'hex');
    record.writeUInt8(isDeflated ? 1 : 0, 32);
    record.writeUInt32LE(bytes.length, 33);
    record.writeUInt32LE(stored.length, 37);
    record.set(stored, HEADER);
    this.file.append(record, this.#end);
    this.#places.set(hash, {
      offset: this.#end + HEADER,
      isDeflated,
      size: bytes.length,
      stored: stored.length,
    });
    this.#end += record.length;
  }

  /** The object; `undefined`: it is not in here. Fails with `store` when it is not what it was. */
  get(hash: string): Buffer | undefined {
    this.#scanOnce();
    const place = this.#places.get(hash);
    if (place === undefined) return undefined;
    const stored = Buffer.allocUnsafe(place.stored);
    const read = this.file.read(stored, place.offset);
    const bytes = inflated(stored.subarray(0, read), place);
    if (bytes === undefined || hashOf(bytes) !== hash) {
      const message = told`A snapshot of the workspace is damaged (${this.file.path}). What it held cannot be brought back; other snapshots are not touched.`;
      throw fault('store', message);
    }
    return bytes;
  }

  /** It is damaged here: as if it were not. */
  forget(hash: string): void {
    this.#places.delete(hash);
  }

  /** True when the file is the one that was opened; `own`: nobody else writes. */
  isAsKnown(own: boolean): boolean {
    const size = this.file.sizeInPlace;
    return size !== undefined && (own ? size === this.#end : size >= this.#end);
  }

  #scanOnce(): void {
    if (!this.#scanned) this.#scan();
  }

  #scan(): void {
    this.#scanned = true;
    const { size } = this.file;
    const window = Buffer.allocUnsafe(Math.min(WINDOW, Math.max(size - this.#end, HEADER)));
    let [start, filled] = [this.#end, 0];
    while (this.#end + HEADER <= size) {
      if (this.#end + HEADER > start + filled) {
        start = this.#end;
        filled = this.file.read(window, start);
        if (filled < HEADER) return;
      }
      const header = window.subarray(this.#end - start, this.#end - start + HEADER);
      const stored = header.readUInt32LE(37);
      const offset = this.#end + HEADER;
      if (offset + stored > size) return;
      this.#places.set(header.toString('hex', 0, 32), {
        offset,
        isDeflated: header.readUInt8(32) === 1,
        size: header.readUInt32LE(33),
        stored,
      });
      this.#end = offset + stored;
    }
  }
}

function inflated(stored: Buffer, { isDeflated, size }: Place): Buffer | undefined {
  if (!isDeflated) return stored;
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(size, 1) });
  } catch {
    return undefined;
  }
}

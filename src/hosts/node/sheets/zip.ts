import { inflateRawSync } from 'node:zlib';

/** Bytes of all entries that are read together, unpacked. */
const MOST_UNPACKED = 64 * 1024 * 1024;
const END_RECORD = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
/** Bytes of an end record and the longest comment behind it. */
const LONGEST_END = 22 + 65_535;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly method: number;
  readonly size: number;
  /** Of its local header. */
  readonly offset: number;
}

/** The entries of a zip file, by name, each unpacked when it is asked for. Throws for what is none. */
export class Zip {
  readonly #bytes: Buffer;
  readonly #entries = new Map<string, Entry>();
  #left = MOST_UNPACKED;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = this.#end();
    const count = this.#bytes.readUInt16LE(end + 10);
    let at = this.#bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index += 1) at = this.#add(at);
  }

  /** `undefined`: there is no such entry. */
  readText(name: string): string | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { method, size, offset } = entry;
    const from =
      offset + 30 + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
    const packed = this.#bytes.subarray(from, from + size);
    const unpacked = this.#unpack(method, packed);
    this.#left -= unpacked.length;
    return new TextDecoder().decode(unpacked);
  }

  #unpack(method: number, packed: Buffer): Buffer {
    if (method === STORED && packed.length <= this.#left) return packed;
    if (method !== STORED && method !== DEFLATED) throw new Error('it is packed in an unusual way');
    try {
      if (method === DEFLATED && this.#left > 0)
        return inflateRawSync(packed, { maxOutputLength: this.#left });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
        throw new Error('a part of it is damaged', { cause: error });
    }
    throw new Error(`it unpacks to more than ${MOST_UNPACKED / 1024 / 1024} MB`);
  }

  #end(): number {
    const bytes = this.#bytes;
    const first = Math.max(0, bytes.length - LONGEST_END);
    for (let at = bytes.length - 22; at >= first; at -= 1)
      if (bytes.readUInt32LE(at) === END_RECORD) return at;
    throw new Error('it is no spreadsheet, or incomplete');
  }

  /** Adds the entry at a place of the directory; gives the place of the next. */
  #add(at: number): number {
    const bytes = this.#bytes;
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY)
      throw new Error('its directory is damaged');
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if ((bytes.readUInt16LE(at + 8) & 1) === 1) throw new Error('it needs a password');
    const offset = bytes.readUInt32LE(at + 42);
    if (offset + 30 > bytes.length) throw new Error('its directory is damaged');
    const entry = {
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      offset,
    };
    this.#entries.set(name, entry);
    return at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

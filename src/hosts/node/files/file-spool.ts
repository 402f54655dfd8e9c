import {
  copyFile,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { OutputSpool, SpooledText } from '../../../core/ports/commands/output-spool.ts';

/** Bytes of one text at most; what comes after is missing in the middle of what the model is told. */
const LARGEST = 1024 * 1024 * 1024;
/** Bytes of all texts; beyond it the oldest go. */
const ALL = 4 * LARGEST;
/** Characters collected before they are written. */
const PIECE = 256 * 1024;

/** A stretch of the file with one width: characters up to U+00FF take a byte each, others two. */
interface Stretch {
  /** Bytes of one UTF-16 unit. */
  readonly width: 1 | 2;
  /** Characters. */
  length: number;
}

/** Spooled texts as files: FOLDER/SESSION/RESULT.text beside an index of its stretches. */
export class FileSpool implements OutputSpool {
  readonly #folder: string;
  readonly #largest: number;

  constructor(folder: string, largest = LARGEST) {
    this.#folder = folder;
    this.#largest = largest;
  }

  open(sessionId: string, resultId: string): SpooledText {
    return new FileText(this.#file(sessionId, resultId), this.#largest, async () =>
      this.#makeRoom(),
    );
  }

  async read(
    sessionId: string,
    resultId: string,
    offset: number,
    length: number,
  ): Promise<{ readonly text: string; readonly total: number } | undefined> {
    const file = this.#file(sessionId, resultId);
    const stretches = await indexOf(file);
    if (stretches === undefined) return undefined;
    const total = stretches.reduce((sum, stretch) => sum + stretch.length, 0);
    try {
      await using handle = await open(`${file}.text`, 'r');
      return { text: await textOf(handle, stretches, offset, length), total };
    } catch {
      return undefined; // it was removed to make room
    }
  }

  async copy(from: string, to: string, resultIds: readonly string[]): Promise<void> {
    for (const resultId of resultIds) {
      const [source, target] = [this.#file(from, resultId), this.#file(to, resultId)];
      if ((await indexOf(source)) === undefined) continue;
      await mkdir(path.dirname(target), { recursive: true });
      // A text that has ended never changes: both may be one file on the disk.
      for (const end of ['.text', '.json']) await linkOrCopy(source + end, target + end);
    }
    await this.#makeRoom();
  }

  async keepOnly(sessionIds: readonly string[]): Promise<void> {
    const kept = new Set(sessionIds.map((id) => encodeURIComponent(id)));
    for (const name of await namesIn(this.#folder)) {
      if (!kept.has(name))
        await rm(path.join(this.#folder, name), { recursive: true, force: true });
    }
  }

  #file(sessionId: string, resultId: string): string {
    return path.join(this.#folder, encodeURIComponent(sessionId), encodeURIComponent(resultId));
  }

  async #makeRoom(): Promise<void> {
    const files: { readonly file: string; readonly size: number; readonly at: number }[] = [];
    for (const session of await namesIn(this.#folder)) {
      for (const name of await namesIn(path.join(this.#folder, session))) {
        const file = path.join(this.#folder, session, name);
        const found = await stat(file).catch(() => undefined);
        if (found !== undefined) files.push({ file, size: found.size, at: found.mtimeMs });
      }
    }
    let all = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.toSorted((a, b) => a.at - b.at)) {
      if (all <= ALL) return;
      await rm(file, { force: true });
      all -= size;
    }
  }
}

class FileText implements SpooledText {
  readonly #file: string;
  readonly #largest: number;
  readonly #makeRoom: () => Promise<void>;
  readonly #stretches: Stretch[] = [];
  #handle: FileHandle | undefined;
  #waiting = '';
  #bytes = 0;
  #full = false;
  #buffer = Buffer.alloc(0);
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, largest: number, makeRoom: () => Promise<void>) {
    this.#file = file;
    this.#largest = largest;
    this.#makeRoom = makeRoom;
  }

  write(text: string): Promise<void> | undefined {
    if (this.#full) return undefined;
    this.#waiting += text;
    return this.#waiting.length < PIECE ? undefined : this.#flush();
  }

  async close(): Promise<number> {
    await this.#flush();
    this.#buffer = Buffer.alloc(0);
    try {
      if (this.#handle === undefined) return 0;
      await writeFile(`${this.#file}.json`, JSON.stringify(this.#stretches));
      await this.#handle.close();
      await this.#makeRoom();
    } catch {
      return 0; // without its index it cannot be read
    }
    return this.#stretches.reduce((sum, stretch) => sum + stretch.length, 0);
  }

  async discard(): Promise<void> {
    await this.#writing;
    await this.#handle?.close().catch(() => undefined);
    await rm(`${this.#file}.text`, { force: true });
  }

  #flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    this.#writing = this.#writing.then(async () => this.#put(text));
    return this.#writing;
  }

  async #put(text: string): Promise<void> {
    if (text === '' || this.#full) return;
    // oxlint-disable-next-line no-control-regex
    const width = /^[\u0000-\u00ff]*$/u.test(text) ? 1 : 2;
    const length = text.length * width;
    // One buffer for all pieces: a flood would else fill the memory with garbage.
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length);
    const bytes = this.#buffer.subarray(0, length);
    bytes.write(text, width === 1 ? 'latin1' : 'utf16le');
    if (this.#bytes + bytes.length > this.#largest) {
      this.#full = true;
      return;
    }
    try {
      if (this.#handle === undefined) {
        await mkdir(path.dirname(this.#file), { recursive: true });
        this.#handle = await open(`${this.#file}.text`, 'w');
      }
      await this.#handle.writeFile(bytes);
    } catch {
      this.#full = true; // no room: what was written stays readable
      return;
    }
    this.#bytes += bytes.length;
    const last = this.#stretches.at(-1);
    if (last?.width === width) last.length += text.length;
    else this.#stretches.push({ width, length: text.length });
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target).catch(() => undefined); // it was removed to make room
  }
}

async function indexOf(file: string): Promise<readonly Stretch[] | undefined> {
  try {
    for (const end of ['.json', '.text']) if (!(await stat(file + end)).isFile()) return undefined;
    const index: unknown = JSON.parse(await readFile(`${file}.json`, 'utf8'));
    return Array.isArray(index) && index.every(isStretch) ? index : undefined;
  } catch {
    return undefined;
  }
}

/** False for the entries of a damaged index. */
function isStretch(entry: unknown): entry is Stretch {
  if (typeof entry !== 'object' || entry === null) return false;
  const { width, length } = entry as Readonly<Record<string, unknown>>;
  return (width === 1 || width === 2) && Number.isSafeInteger(length) && Number(length) >= 0;
}

async function textOf(
  handle: FileHandle,
  stretches: readonly Stretch[],
  offset: number,
  length: number,
): Promise<string> {
  let text = '';
  let character = 0;
  let byte = 0;
  for (const { width, length: characters } of stretches) {
    const from = Math.max(offset, character);
    const to = Math.min(offset + length, character + characters);
    if (from < to) {
      const buffer = Buffer.alloc((to - from) * width);
      const { bytesRead } = await handle.read(
        buffer,
        0,
        buffer.length,
        byte + (from - character) * width,
      );
      text += buffer.subarray(0, bytesRead).toString(width === 1 ? 'latin1' : 'utf16le');
    }
    character += characters;
    byte += characters * width;
  }
  return text;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

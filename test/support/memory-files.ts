import { BelayError } from '../../src/domain/failure.ts';
import { CHANGED_MEANWHILE } from '../../src/core/files/changed-meanwhile.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  WriteOptions,
} from '../../src/core/ports/files/file-system.ts';

/** Files in memory, for thousands of histories: what a property test compares is what is in them. */
export class MemoryFiles implements FileSystem {
  readonly contents = new Map<string, Uint8Array>();
  readonly readOnly = new Set<string>();
  #time = 0;

  text(path: string): string | undefined {
    const bytes = this.contents.get(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  }

  /** By the person or another program: nobody is told. */
  put(path: string, text: string | undefined): void {
    if (text === undefined) this.contents.delete(path);
    else this.contents.set(path, Buffer.from(text));
  }

  async read(path: string): Promise<Uint8Array> {
    const bytes = this.contents.get(path);
    if (bytes === undefined) throw missing(path);
    return bytes;
  }

  async readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
    return (await this.read(path)).slice(offset, offset + length);
  }

  async write(path: string, content: Uint8Array, { replaces }: WriteOptions = {}): Promise<void> {
    if (this.readOnly.has(path))
      throw new BelayError({ code: 'permission', message: `${path} may not be written.` });
    const now = this.contents.get(path);
    if (replaces !== undefined && !isSame(now, replaces))
      throw new BelayError({
        code: 'invalid',
        message: `${path} was changed by somebody else.`,
        details: { path, reason: CHANGED_MEANWHILE },
      });
    this.#time += 1;
    this.contents.set(path, Buffer.from(content));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const bytes = this.contents.get(path);
    if (bytes === undefined) return undefined;
    const readOnly = this.readOnly.has(path);
    return { type: 'file', size: bytes.length, modifiedAt: this.#time, readOnly };
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    const start = folder.endsWith('/') ? folder : `${folder}/`;
    const entries = new Map<string, FileEntry>();
    for (const path of this.contents.keys()) {
      if (!path.startsWith(start)) continue;
      const [name = '', ...deeper] = path.slice(start.length).split('/');
      entries.set(name, { name, type: deeper.length > 0 ? 'directory' : 'file' });
    }
    return [...entries.values()];
  }

  async realpath(path: string): Promise<string> {
    return path;
  }

  async delete(path: string): Promise<void> {
    if (!this.contents.delete(path)) throw missing(path);
  }

  async rename(from: string, to: string): Promise<void> {
    const bytes = await this.read(from);
    if (this.contents.has(to))
      throw new BelayError({ code: 'invalid', message: `${to} is there already.` });
    this.contents.delete(from);
    this.contents.set(to, bytes);
  }
}

function isSame(now: Uint8Array | undefined, wanted: Uint8Array | 'nothing'): boolean {
  if (now === undefined || wanted === 'nothing') return now === undefined && wanted === 'nothing';
  return Buffer.compare(now, wanted) === 0;
}

function missing(path: string): BelayError {
  return new BelayError({ code: 'not_found', message: `${path} is not there.` });
}

import type {
  FileEntry,
  FileStat,
  FileSystem,
  WriteOptions,
} from '../../../src/core/ports/files/file-system.ts';
import type { SharedValues } from '../../../src/core/ports/store/shared-values.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { Json } from '../../../src/domain/data/json.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import type { MapValues } from '../../support/map-values.ts';
import type { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';

/** Ends the world at the n-th thing that is made durable, before or after it is. */
export class Kill {
  left: number;
  readonly when: 'before' | 'after';
  isOver = false;
  made = 0;

  constructor(left: number, when: 'before' | 'after') {
    this.left = left;
    this.when = when;
  }

  async make<Value>(work: () => Promise<Value>): Promise<Value> {
    this.look();
    if (this.left === 0) {
      this.isOver = true;
      if (this.when === 'after') await work();
      throw new Error('killed');
    }
    this.left -= 1;
    this.made += 1;
    return work();
  }

  look(): void {
    if (this.isOver) throw new Error('killed');
  }
}

export class StoppingValues implements SharedValues {
  readonly #values: MapValues;
  readonly #kill: Kill;

  constructor(values: MapValues, kill: Kill) {
    this.#values = values;
    this.#kill = kill;
  }

  async get(key: string, sessionId?: string): Promise<Json | undefined> {
    this.#kill.look();
    return this.#values.get(key, sessionId);
  }

  async list(prefix: string, sessionId?: string): ReturnType<MapValues['list']> {
    this.#kill.look();
    return this.#values.list(prefix, sessionId);
  }

  async set(key: string, value: Json, sessionId?: string): Promise<void> {
    return this.#kill.make(() => this.#values.set(key, value, sessionId));
  }

  async swap(...given: Parameters<MapValues['swap']>): Promise<boolean> {
    return this.#kill.make(() => this.#values.swap(...given));
  }
}

export class StoppingFiles implements FileSystem {
  readonly #files: MemoryFiles;
  readonly #kill: Kill;

  constructor(files: MemoryFiles, kill: Kill) {
    this.#files = files;
    this.#kill = kill;
  }

  async read(path: string): Promise<Uint8Array> {
    this.#kill.look();
    return this.#files.read(path);
  }

  async readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#files.readPart(path, offset, length);
  }

  async write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#kill.make(() => this.#files.write(path, bytes, options));
  }

  async stat(path: string): Promise<FileStat | undefined> {
    this.#kill.look();
    return this.#files.stat(path);
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    return this.#files.list(folder);
  }

  async realpath(path: string): Promise<string> {
    return path;
  }

  async delete(path: string): Promise<void> {
    return this.#kill.make(() => this.#files.delete(path));
  }

  async rename(from: string, to: string): Promise<void> {
    return this.#kill.make(() => this.#files.rename(from, to));
  }
}

/** The service on what is durable; with `kill` it ends in the middle. */
export function openReviews(
  durable: { readonly files: MemoryFiles; readonly values: MapValues },
  kill?: Kill,
): Reviews {
  const { files, values } =
    kill === undefined
      ? durable
      : {
          files: new StoppingFiles(durable.files, kill),
          values: new StoppingValues(durable.values, kill),
        };
  return new Reviews({ values, files, clock: new FakeClock(), log: silentLog });
}

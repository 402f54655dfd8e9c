import type { Json } from '../../../domain/data/json.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { FileReview } from '../model/file-review.ts';
import { reviewFrom, storedReview } from './stored-review.ts';

/** The beginnings of keys; the value of a revision changes with every change of the row. */
const [ROW, REVISION] = ['pending:', 'pending-revision:'];

/**
 * The table of pending changes in the store: one row a file. Processes on the same store change a row one after the
 * other: each only what it knows the newest state of.
 */
export class PendingTable {
  readonly #values: SharedValues;
  /** Tells the changes of this process from those of others, earlier ones included. */
  readonly #writer: string;
  #count = 0;
  /** By path, as far as this process has seen them. */
  readonly #revisions = new Map<string, string>();

  constructor(values: SharedValues, writer: string) {
    this.#values = values;
    this.#writer = writer;
  }

  /**
   * Resolves when the row is on disk; `undefined` removes it.
   * @returns false: another process has changed it meanwhile, and nothing was stored
   */
  async save(path: string, row: FileReview | undefined): Promise<boolean> {
    const known = this.#revisions.get(path);
    if (row === undefined && known === undefined) return true;
    this.#count += 1;
    const revision = row === undefined ? null : `${this.#writer}.${this.#count}`;
    const changes = [
      { key: ROW + path, value: row === undefined ? null : storedReview(row) },
      { key: REVISION + path, value: revision },
    ];
    const isDone = await this.#values.swap(changes, { key: REVISION + path, value: known });
    if (isDone) this.#remember(path, revision);
    return isDone;
  }

  /** Loads all rows; `unreadable` are paths whose row is in a form of another version: it is left as it is. */
  async load(): Promise<{
    readonly rows: readonly FileReview[];
    readonly unreadable: readonly string[];
  }> {
    for (const { key, value } of await this.#values.list(REVISION))
      this.#remember(key.slice(REVISION.length), value);
    const stored = await this.#values.list(ROW);
    const read = stored.map(({ key, value }) => ({ key, row: reviewFrom(value) }));
    return {
      rows: read.flatMap(({ row }) => row ?? []),
      unreadable: read.flatMap(({ key, row }) => (row === undefined ? key.slice(ROW.length) : [])),
    };
  }

  /** Finds the paths of rows that other processes have changed since they were last seen here. */
  async changedElsewhere(): Promise<readonly string[]> {
    const found = await this.#values.list(REVISION);
    const stored = new Map(found.map(({ key, value }) => [key.slice(REVISION.length), value]));
    const paths = new Set([...stored.keys(), ...this.#revisions.keys()]);
    return [...paths].filter((path) => {
      const revision = stored.get(path);
      const isOwn = typeof revision === 'string' && revision.startsWith(`${this.#writer}.`);
      return !isOwn && revision !== this.#revisions.get(path);
    });
  }

  /** Reads the newest row of a file; the next save is based on it. */
  async read(path: string): Promise<FileReview | undefined> {
    const revision = await this.#values.get(REVISION + path);
    const value = await this.#values.get(ROW + path);
    this.#remember(path, revision);
    return value === undefined ? undefined : reviewFrom(value);
  }

  #remember(path: string, revision: Json | undefined): void {
    if (typeof revision === 'string') this.#revisions.set(path, revision);
    else this.#revisions.delete(path);
  }
}

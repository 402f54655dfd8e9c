import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import type { Log } from '../../ports/log.ts';
import type { Values } from '../../ports/store/values.ts';
import { keep } from '../model/decide.ts';
import { type Content, type FileReview, sameContent } from '../model/file-review.ts';
import { type Hunk, fingerprint, hunksOf, isSettled } from '../model/hunks.ts';
import { reviewFrom, storedReview } from './stored-review.ts';

const PREFIX = 'pending-stash:';
/** Rows of one file and of all files; the oldest go. */
const MAX_ROWS_OF_FILE = 8;
const MAX_ROWS = 200;
/** Characters of all rows: they are in memory. */
const MAX_CHARS = 8_000_000;
/** Milliseconds after which nobody comes back to a content: 30 days. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

interface Entry {
  readonly key: string;
  readonly row: FileReview;
  readonly characters: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface StashParts {
  readonly values: Values;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Rows of contents that a file had and has not any more: it was checked out, stashed, changed by another program, or
 * its hunks were undone. When a file is exactly such a content again, its row returns.
 */
export class Stash {
  readonly #parts: StashParts;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: StashParts) {
    this.#parts = parts;
  }

  /** Loads what any window has put aside. */
  async load(): Promise<void> {
    await this.flush();
    const found = await this.#parts.values.list(PREFIX);
    const entries = found.flatMap(({ key, value }) => readEntry(key, value) ?? []);
    this.#entries.clear();
    for (const entry of entries.toSorted((a, b) => a.at - b.at))
      this.#entries.set(entry.key, entry);
    this.#bound();
  }

  get paths(): readonly string[] {
    return [...new Set([...this.#entries.values()].map(({ row }) => row.path))];
  }

  /** Files as they were, that are needed when their rows return. */
  get kept(): readonly KeptFile[] {
    return [...this.#entries.values()].flatMap(({ row }) => row.kept ?? []);
  }

  has(path: string): boolean {
    return this.#of(path).length > 0;
  }

  /** Puts a row aside under its content; resolves when that is on disk. Rejects with what the store fails with. */
  async put(row: FileReview): Promise<void> {
    if (isSettled(row)) return;
    const key = `${PREFIX}${row.path}#${fingerprint(describe(row.document))}`;
    const value = { at: this.#parts.clock.now(), row: storedReview(row) };
    const characters = JSON.stringify(value).length;
    this.#entries.delete(key);
    this.#entries.set(key, { key, row, characters, at: value.at });
    this.#bound();
    await this.#store(key, value);
  }

  /** Returns the row of exactly this content, which is not put aside any more. */
  take(path: string, content: Content): FileReview | undefined {
    const entry = this.#of(path).find(({ row }) => sameContent(row.document, content));
    if (entry === undefined) return undefined;
    this.#remove(entry.key);
    return entry.row;
  }

  /** The user kept hunks: where the same hunks were put aside they do not return as pending. */
  keep(path: string, hunks: readonly Hunk[]): void {
    const ids = new Set(hunks.map(({ id }) => id));
    for (const { key, row, ...entry } of this.#of(path)) {
      const same = hunksOf(row).filter(({ id }) => ids.has(id));
      if (same.length === 0) continue;
      const left = keep(
        row,
        same.map(({ id }) => id),
      );
      if (hunksOf(left).length === 0) this.#remove(key);
      else {
        this.#entries.set(key, { ...entry, key, row: left });
        void this.#tryStore(key, { at: entry.at, row: storedReview(left) });
      }
    }
  }

  /** Forgets every row of a file. */
  drop(path: string): void {
    for (const { key } of this.#of(path)) this.#remove(key);
  }

  async flush(): Promise<void> {
    await this.#saving;
  }

  #of(path: string): readonly Entry[] {
    return [...this.#entries.values()].filter(({ row }) => row.path === path);
  }

  #remove(key: string): void {
    this.#entries.delete(key);
    void this.#tryStore(key, null);
  }

  #bound(): void {
    const since = this.#parts.clock.now() - MAX_AGE_MS;
    const counts = new Map<string, number>();
    let [count, characters] = [0, 0];
    for (const entry of [...this.#entries.values()].toReversed()) {
      const { path } = entry.row;
      const ofFile = (counts.get(path) ?? 0) + 1;
      counts.set(path, ofFile);
      count += 1;
      characters += entry.characters;
      const isTooMuch = ofFile > MAX_ROWS_OF_FILE || count > MAX_ROWS || characters > MAX_CHARS;
      if (isTooMuch || entry.at < since) this.#remove(entry.key);
    }
  }

  /** Rejects with what the store fails with, which is logged. */
  #store(key: string, value: Json): Promise<void> {
    const storing = this.#saving.then(() => this.#parts.values.set(key, value));
    this.#saving = storing.catch((thrown: unknown) =>
      this.#parts.log.warn('Stashed pending changes could not be stored.', {
        reason: String(thrown),
      }),
    );
    return storing;
  }

  async #tryStore(key: string, value: Json): Promise<void> {
    await this.#store(key, value).catch(() => undefined);
  }
}

function describe(content: Content): string {
  switch (content.kind) {
    case 'text':
      return content.lines.join('\n');
    case 'binary':
      return `binary ${content.hash}`;
    case 'absent':
      return 'absent';
    default:
      return content satisfies never;
  }
}

function readEntry(key: string, value: Json): Entry | undefined {
  const { at, row: stored } = isJsonObject(value) ? value : {};
  const row = stored === undefined ? undefined : reviewFrom(stored);
  if (row === undefined || typeof at !== 'number') return undefined;
  return { key, row, at, characters: JSON.stringify(value).length };
}

import type { Json } from '../../domain/json.ts';
import type { Values } from '../ports.ts';
import type { FileReview } from './file-review.ts';
import { reviewFrom, storedReview } from './stored-review.ts';

/** Beginnings of the keys of a collection of reviews. */
export interface ReviewKeys {
  readonly head: string;
  readonly piece: string;
}

export const WRITTEN_KEYS: ReviewKeys = { head: 'review:', piece: 'review-piece:' };
export const PROPOSED_KEYS: ReviewKeys = { head: 'proposal:', piece: 'proposal-piece:' };

/** Characters of one value: at most 1 MB in UTF-8, with room for escapes. */
const PIECE = 150_000;

/** Reviews in the store: a key for each file, large ones in pieces. */
export class ReviewStore {
  readonly #values: Values;
  /** Saves of one file go one after the other. */
  readonly #saving = new Map<string, Promise<void>>();
  /** Keys of the pieces that a file's value refers to. */
  readonly #pieces = new Map<string, readonly string[]>();

  readonly #keys: ReviewKeys;

  constructor(values: Values, keys: ReviewKeys = WRITTEN_KEYS) {
    this.#values = values;
    this.#keys = keys;
  }

  /** Resolves when it is on disk. The old state is there until the new one is complete. */
  save(review: FileReview): Promise<void> {
    return this.#after(review.path, () => this.#write(review));
  }

  remove(path: string): Promise<void> {
    return this.#after(path, async () => {
      await this.#values.set(`${this.#keys.head}${path}`, null);
      await this.#drop(path, []);
    });
  }

  /** All that is stored; `unreadable` are paths whose state is in a form of another version: it is left as it is. */
  async load(): Promise<{
    readonly reviews: readonly FileReview[];
    readonly unreadable: readonly string[];
  }> {
    const [heads, pieces] = await Promise.all([
      this.#values.list(this.#keys.head),
      this.#values.list(this.#keys.piece),
    ]);
    const texts = new Map(pieces.map(({ key, value }) => [key, value]));
    const reviews: FileReview[] = [];
    const unreadable: string[] = [];
    for (const { key, value } of heads) {
      const path = key.slice(this.#keys.head.length);
      const keys = keysOf(value);
      const review = reviewFrom(keys === undefined ? value : parsed(keys, texts));
      if (review === undefined) unreadable.push(path);
      else reviews.push(review);
      this.#pieces.set(path, keys ?? []);
    }
    return { reviews, unreadable };
  }

  async #write(review: FileReview): Promise<void> {
    const { path } = review;
    const value = storedReview(review);
    const text = JSON.stringify(value);
    if (text.length <= PIECE) {
      await this.#values.set(`${this.#keys.head}${path}`, value);
      await this.#drop(path, []);
      return;
    }
    // Names that are not in use: the old pieces count until the head names the new ones.
    const old = new Set(this.#pieces.get(path));
    const half = old.has(this.#pieceKey(path, 'a', 0)) ? 'b' : 'a';
    const keys: string[] = [];
    for (let at = 0; at < text.length; at += PIECE) {
      const key = this.#pieceKey(path, half, keys.length);
      await this.#values.set(key, text.slice(at, at + PIECE));
      keys.push(key);
    }
    await this.#values.set(`${this.#keys.head}${path}`, { pieces: keys });
    await this.#drop(path, keys);
  }

  async #drop(path: string, kept: readonly string[]): Promise<void> {
    const old = this.#pieces.get(path) ?? [];
    this.#pieces.set(path, kept);
    for (const key of old) if (!kept.includes(key)) await this.#values.set(key, null);
  }

  #pieceKey(path: string, half: 'a' | 'b', number: number): string {
    return `${this.#keys.piece}${path}#${half}${String(number).padStart(4, '0')}`;
  }

  #after(path: string, work: () => Promise<void>): Promise<void> {
    const before = this.#saving.get(path);
    const next = afterAll(before, work);
    this.#saving.set(path, next);
    const forget = (): void => {
      if (this.#saving.get(path) === next) this.#saving.delete(path);
    };
    next.then(forget, forget);
    return next;
  }
}

async function afterAll(
  before: Promise<void> | undefined,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await before;
  } catch {
    // Told to whom it belongs; what comes after it is another attempt.
  }
  await work();
}

function keysOf(value: Json): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || !('pieces' in value)) return undefined;
  const { pieces } = value;
  return Array.isArray(pieces) ? pieces.filter((key) => typeof key === 'string') : undefined;
}

function parsed(keys: readonly string[], texts: ReadonlyMap<string, Json>): Json {
  const pieces = keys.map((key) => texts.get(key));
  if (!pieces.every((piece) => typeof piece === 'string')) return null;
  try {
    return JSON.parse(pieces.join('')) as Json;
  } catch {
    return null;
  }
}

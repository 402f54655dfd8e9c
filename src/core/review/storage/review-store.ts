import { BelayError } from '../../../domain/failure.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { FileReview } from '../model/file-review.ts';
import { inPieces, parsedPieces, PIECE, pieceKeysOf } from './in-pieces.ts';
import { reviewFrom, storedReview } from './stored-review.ts';
import { Turns } from '../service/turns.ts';

/** The beginnings of keys; the value of `REVISION` changes with every change of a review. */
const [HEAD, PIECES, REVISION] = ['review:', 'review-piece:', 'review-revision:'];

/** Looks at a review that another window keeps changing. */
const ATTEMPTS = 5;

/** A review that another window stored, or (`undefined`) took away. */
export interface StoredElsewhere {
  readonly path: string;
  readonly review: FileReview | undefined;
}

/**
 * Reviews in the store: a key for each file, large ones in pieces, all in one transaction. Windows on
 * the same store change a review one after the other: each only what it knows the newest state of.
 */
export class ReviewStore {
  readonly #values: SharedValues;
  /** Of this window: no other one, earlier ones included, has the same. */
  readonly #writer: string;
  #count = 0;
  /** Saves of one file go one after the other. */
  readonly #turns = new Turns();
  readonly #saving = new Map<string, number>();
  /** Revisions known to be stored. */
  readonly #revisions = new Map<string, string>();
  /** Keys of the pieces that a file's value refers to. */
  readonly #pieces = new Map<string, readonly string[]>();

  constructor(values: SharedValues, writer = '') {
    this.#values = values;
    this.#writer = writer;
  }

  /**
   * Resolves when it is on disk.
   * @returns false: another window has changed or removed it meanwhile, and nothing was stored
   */
  save(review: FileReview): Promise<boolean> {
    const { path } = review;
    return this.#taken(path, () => {
      const value = storedReview(review);
      const text = JSON.stringify(value);
      if (text.length <= PIECE) return this.#swap(path, value, []);
      const pieces = inPieces(PIECES + path, text);
      return this.#swap(path, { pieces: pieces.map(({ key }) => key) }, pieces);
    });
  }

  /** As `save`. */
  remove(path: string): Promise<boolean> {
    return this.#taken(path, () => this.#swap(path, null, []));
  }

  /** All that is stored; `unreadable` are paths whose state is in a form of another version: it is left as it is. */
  async load(): Promise<{
    readonly reviews: readonly FileReview[];
    readonly unreadable: readonly string[];
  }> {
    const [revisions, heads, pieces] = await Promise.all([
      this.#values.list(REVISION),
      this.#values.list(HEAD),
      this.#values.list(PIECES),
    ]);
    for (const { key, value } of revisions)
      this.#revisions.set(key.slice(REVISION.length), revisionOf(value));
    const texts = new Map(pieces.map(({ key, value }) => [key, value]));
    const reviews: FileReview[] = [];
    const unreadable: string[] = [];
    for (const { key, value } of heads) {
      const path = key.slice(HEAD.length);
      const keys = pieceKeysOf(value);
      const review = reviewFrom(keys === undefined ? value : parsedPieces(keys, texts));
      if (review === undefined) unreadable.push(path);
      else reviews.push(review);
      this.#pieces.set(path, keys ?? []);
    }
    return { reviews, unreadable };
  }

  /** True when the last stored change is another window's, or an earlier one's. */
  isForeign(path: string): boolean {
    const revision = this.#revisions.get(path);
    return revision !== undefined && !this.#isOwn(revision);
  }

  /** Paths of reviews that other windows have changed since they were last seen here. */
  async changedElsewhere(): Promise<readonly string[]> {
    const found = await this.#values.list(REVISION);
    const stored = new Map(
      found.map(({ key, value }) => [key.slice(REVISION.length), revisionOf(value)]),
    );
    const paths = new Set([...stored.keys(), ...this.#revisions.keys()]);
    return [...paths].filter((path) => this.#isNew(path, stored.get(path)));
  }

  /** The review as another window changed it since it was last seen here; `undefined`: unchanged. */
  async newest(path: string): Promise<StoredElsewhere | undefined> {
    const stored = await this.#values.get(REVISION + path);
    const revision = stored === undefined ? undefined : revisionOf(stored);
    return this.#isNew(path, revision) ? { path, review: await this.read(path) } : undefined;
  }

  /** One that is being saved here finds out by itself. */
  #isNew(path: string, revision: string | undefined): boolean {
    const isKnown = revision === this.#revisions.get(path);
    return !isKnown && !this.#saving.has(path) && !this.#isOwn(revision);
  }

  /** Reads a file's stored review; the next save is based on it. */
  async read(path: string): Promise<FileReview | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.#values.get(REVISION + path);
      const value = await this.#values.get(HEAD + path);
      const keys = value === undefined ? undefined : pieceKeysOf(value);
      const texts = new Map<string, Json>();
      for (const key of keys ?? []) texts.set(key, (await this.#values.get(key)) ?? null);
      const after = await this.#values.get(REVISION + path);
      if (before !== after && attempt < ATTEMPTS) continue;
      if (typeof before === 'string') this.#revisions.set(path, before);
      else this.#revisions.delete(path);
      this.#pieces.set(path, keys ?? []);
      if (value === undefined) return undefined;
      return reviewFrom(keys === undefined ? value : parsedPieces(keys, texts));
    }
  }

  /** Everything in one transaction, so that there is the old state or the new one. */
  async #swap(
    path: string,
    value: Json,
    pieces: readonly { readonly key: string; readonly value: Json }[],
  ): Promise<boolean> {
    const known = this.#revisions.get(path);
    const old = this.#pieces.get(path) ?? [];
    // Settled and never stored: there is nothing to take away.
    if (value === null && known === undefined && !this.#pieces.has(path)) return true;
    this.#count += 1;
    const next = value === null ? null : `${this.#writer}.${this.#count}`;
    const keys = pieces.map(({ key }) => key);
    const done = await this.#values.swap(
      [
        ...old.filter((key) => !keys.includes(key)).map((key) => ({ key, value: null })),
        ...pieces,
        { key: HEAD + path, value },
        { key: REVISION + path, value: next },
      ],
      { key: REVISION + path, value: known },
    );
    if (!done) return false;
    this.#pieces.set(path, keys);
    if (next === null) this.#revisions.delete(path);
    else this.#revisions.set(path, next);
    return true;
  }

  async #taken(path: string, work: () => Promise<boolean>): Promise<boolean> {
    this.#saving.set(path, (this.#saving.get(path) ?? 0) + 1);
    try {
      return await this.#turns.take(path, work);
    } finally {
      const left = (this.#saving.get(path) ?? 1) - 1;
      if (left === 0) this.#saving.delete(path);
      else this.#saving.set(path, left);
    }
  }

  #isOwn(revision: string | undefined): boolean {
    return revision?.startsWith(`${this.#writer}.`) === true;
  }
}

/** Another window changed a review. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof BelayError && thrown.code === 'busy';
}

/** Of a form that this version does not know: as one that nobody knows. */
function revisionOf(value: Json): string {
  return typeof value === 'string' ? value : '';
}

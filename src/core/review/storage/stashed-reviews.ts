import { type Json, type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { Choice } from '../model/decide.ts';
import { type Content, type FileReview, sameContent, textContent } from '../model/file-review.ts';
import { type Hunk, chosenHunks, fingerprint, hunksOf, isSettled } from '../model/hunks.ts';
import { inPieces, parsedPieces, pieceKeysOf } from './in-pieces.ts';
import { type AcceptedLines, type KeptAside, isUsedUp } from '../model/returned.ts';
import { appliedTo, differenceFrom, reviewFrom, storedReview } from './stored-review.ts';
import { Turns } from '../service/turns.ts';

const PREFIX = 'review-parked:';
const PIECES = 'review-parked-piece:';
/** By path: the text that the person made of a file since, and the pieces of it. */
const TYPED = 'review-parked-typed:';
const TYPED_PIECES = 'review-parked-typed-piece:';
const VERSION = 2;
/** States of one file, and of all; the oldest go. */
const MOST_OF_FILE = 8;
const MOST = 500;
const MOST_CHARACTERS = 30_000_000;
/** Milliseconds after which nobody comes back to it. */
const OLDEST = 30 * 24 * 60 * 60 * 1000;
/** Earlier than every time. */
const NEVER = -Infinity;

/** A rejected change is kept without what the file holds then: its lines alone tell. */
const REJECTED = { undecided: false, left: undefined } as const;

/** A state that is kept, without what it holds. */
interface Head {
  readonly key: string;
  readonly path: string;
  readonly at: number;
  readonly characters: number;
  readonly kept: KeptFile | undefined;
  /** Nobody has decided about it: when it is dropped, the person is told. */
  readonly undecided: boolean;
}

interface Parts {
  readonly values: SharedValues;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of a file of which something undecided is kept no longer, because it is too much or too old. */
  readonly onDropped?: (path: string) => void;
}

/**
 * Pending changes of contents that a file had and has not any more, because git checked out another
 * branch or stashed it, something else replaced it, or the person rejected them. What of their lines is in
 * the file again is pending again, without what the person accepted in the meantime.
 */
export class StashedReviews {
  readonly #parts: Parts;
  readonly #heads = new Map<string, Head>();
  /** When the person typed in files of which something is kept, by path. */
  readonly #typed = new Map<string, number>();
  readonly #turns = new Turns();
  readonly #saving = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Loads what any window keeps by now. */
  async load(): Promise<void> {
    await this.flush();
    const found = await this.#parts.values.list(PREFIX);
    this.#heads.clear();
    // One of another version is left alone.
    for (const head of found.flatMap(({ key, value }) => headFrom(key, value) ?? []))
      this.#heads.set(head.key, head);
    for (const { key, value } of await this.#parts.values.list(TYPED))
      this.#typed.set(key.slice(TYPED.length), timeOf(value));
    this.#bound();
  }

  /** Files of which something is kept aside. */
  get paths(): readonly string[] {
    return [...new Set([...this.#heads.values()].map(({ path }) => path))];
  }

  /** Files as they were, that are needed when it is pending again. */
  get kept(): readonly KeptFile[] {
    return [...this.#heads.values()].flatMap(({ kept }) => kept ?? []);
  }

  has(path: string): boolean {
    return this.#of(path).length > 0;
  }

  /** Something else than the agent and the person made a file another one: hunks that are gone by that are kept. */
  changed(before: FileReview | undefined, after: FileReview | undefined): void {
    if (before !== undefined && isDropped(before, after))
      this.keep(before, { undecided: true, left: after?.document });
  }

  /**
   * Keeps what is pending in a file, for the case that its lines come back.
   * @param undecided the person did not reject it
   * @param left what the file holds now
   */
  keep(
    pending: FileReview,
    { undecided, left }: Pick<KeptAside, 'undecided' | 'left'> = REJECTED,
  ): void {
    if (isSettled(pending)) return;
    const { path, document } = pending;
    const key = `${PREFIX}${path}#${fingerprint(textFor(document))}`;
    const review = { ...pending, memory: [], fileMissing: false };
    const at = this.#later(path);
    this.#save({ key, at }, { review, accepted: [], undecided, left });
    this.#bound();
  }

  /** A time that is later than all others of the file: much happens in one millisecond, and clocks jump. */
  #later(path: string): number {
    const [kept, typed] = [this.#of(path).at(-1)?.at ?? NEVER, this.#typed.get(path) ?? NEVER];
    return Math.max(this.#parts.clock.now(), kept + 1, typed + 1);
  }

  /** The kept reviews of a file, the newest first. */
  async of(path: string): Promise<readonly KeptAside[]> {
    await this.flush();
    const found: KeptAside[] = [];
    const head = await this.#parts.values.get(`${TYPED}${path}`);
    const text = await this.#whole(head);
    const typed = typeof text === 'string' ? textContent(text) : undefined;
    const until = typed === undefined ? NEVER : timeOf(head);
    for (const { key, at } of this.#of(path).toReversed()) {
      const aside = await this.#read(key);
      if (aside === undefined) this.#heads.delete(key);
      else found.push(at < until ? { ...aside, left: typed, typed: true } : aside);
    }
    return found;
  }

  /** All that was pending when a file had this content is pending again. */
  async forget(path: string, content: Content): Promise<void> {
    const key = `${PREFIX}${path}#${fingerprint(textFor(content))}`;
    const aside = this.#heads.has(key) ? await this.#read(key) : undefined;
    if (aside === undefined || !sameContent(aside.review.document, content)) return;
    this.#remove({ key, path });
    await this.flush();
  }

  /** The person made a file what it is now: nothing came back by that. */
  typed(path: string, text: Content): void {
    const at = this.#later(path);
    this.#typed.set(path, at);
    const pieces = inPieces(`${TYPED_PIECES}${path}#`, JSON.stringify(textFor(text)));
    this.#swap(`${TYPED}${path}`, { at, pieces: pieces.map(({ key }) => key) }, pieces);
  }

  /** The person accepted hunks; `review` as it was before. Resolves when that is on disk. */
  async accepted(review: FileReview, choice: Choice): Promise<void> {
    const pairs = chosenHunks(review, choice).map(({ removed, added }): AcceptedLines => ({
      old: removed,
      new: added,
    }));
    const isWhole =
      choice === 'all' || chosenHunks(review, choice).some((one) => one.kind !== 'change');
    await this.#revise(review.path, (known) => {
      const aside = { ...known, accepted: [...known.accepted, ...pairs] };
      const isAll = isWhole && sameContent(known.review.document, review.document);
      return isAll || isUsedUp(aside) ? undefined : aside;
    });
  }

  /** The person rejected hunks: what came back to be decided, and was, comes back as a rejected change only. */
  async rejected(review: FileReview, choice: Choice): Promise<void> {
    const ids = new Set(chosenHunks(review, choice).map(linesKey));
    await this.#revise(review.path, (known) =>
      known.undecided && hunksOf(known.review).every((one) => ids.has(linesKey(one)))
        ? { ...known, ...REJECTED }
        : known,
    );
  }

  /** Makes what is kept of a file, also by another window, something else; `undefined`: it goes. On disk when it resolves. */
  async #revise(path: string, change: (aside: KeptAside) => KeptAside | undefined): Promise<void> {
    await this.#turns.take(path, async () => {
      await this.flush();
      for (const { key, value } of await this.#parts.values.list(`${PREFIX}${path}#`)) {
        const head = headFrom(key, value);
        if (head?.path === path) this.#heads.set(key, head);
      }
      for (const { key, at } of this.#of(path)) {
        const known = await this.#read(key);
        // Kept anew, or forgotten, meanwhile.
        if (known === undefined || this.#heads.get(key)?.at !== at) continue;
        const next = change(known);
        if (next === undefined) this.#remove({ key, path });
        else if (next !== known) this.#save({ key, at }, next);
      }
      await this.flush();
    });
  }

  async flush(): Promise<void> {
    while (this.#saving.size > 0) await Promise.all(this.#saving);
  }

  /** Of a file, the oldest first. */
  #of(path: string): readonly Head[] {
    return inOrder([...this.#heads.values()].filter((head) => head.path === path));
  }

  async #read(key: string): Promise<KeptAside | undefined> {
    const head = await this.#parts.values.get(key);
    const value = await this.#whole(head);
    if (value === undefined) return undefined;
    return asideFrom(value, objectFrom(head ?? null)['undecided'] === true);
  }

  /** The value of which a head names the pieces. */
  async #whole(head: Json | undefined): Promise<Json | undefined> {
    const keys = head === undefined ? undefined : pieceKeysOf(head);
    if (keys === undefined) return undefined;
    const texts = new Map<string, Json | undefined>();
    for (const one of keys) texts.set(one, await this.#parts.values.get(one));
    return parsedPieces(keys, texts);
  }

  #save({ key, at }: Pick<Head, 'key' | 'at'>, aside: Omit<KeptAside, 'typed'>): void {
    const { review, accepted, undecided, left } = aside;
    const text = JSON.stringify({
      review: storedReview(review),
      accepted: accepted.map((pair): Json => [[...pair.old], [...pair.new]]),
      ...(left && { left: differenceFrom(review.document, left) }),
    });
    const pieces = inPieces(`${PIECES}${key.slice(PREFIX.length)}`, text);
    const { path, kept } = review;
    this.#heads.set(key, { key, path, at, characters: text.length, kept, undecided });
    const head: JsonObject = {
      version: VERSION,
      path,
      at,
      characters: text.length,
      ...(kept === undefined ? {} : { kept: { ...kept } }),
      ...(undecided && { undecided }),
      pieces: pieces.map((piece) => piece.key),
    };
    this.#swap(key, head, pieces);
  }

  #remove({ key, path }: Pick<Head, 'key' | 'path'>): void {
    this.#heads.delete(key);
    this.#swap(key, null, []);
    if (!this.has(path) && this.#typed.delete(path)) this.#swap(`${TYPED}${path}`, null, []);
  }

  #bound(): void {
    const since = this.#parts.clock.now() - OLDEST;
    const files = new Map<string, number>();
    let [count, characters] = [0, 0];
    for (const head of inOrder([...this.#heads.values()]).toReversed()) {
      const ofFile = (files.get(head.path) ?? 0) + 1;
      files.set(head.path, ofFile);
      count += 1;
      characters += head.characters;
      const isTooMuch = ofFile > MOST_OF_FILE || count > MOST || characters > MOST_CHARACTERS;
      if (!isTooMuch && head.at >= since) continue;
      this.#remove(head);
      if (head.undecided) this.#parts.onDropped?.(head.path);
    }
  }

  /** All of a state in one transaction, so that there is the old one or the new one. */
  #swap(key: string, value: Json, pieces: readonly { key: string; value: Json }[]): void {
    const { values, log } = this.#parts;
    const saving = this.#turns
      .take(key, async () => {
        for (let done = false; !done;) {
          const stored = await values.get(key);
          const old = (stored === undefined ? undefined : pieceKeysOf(stored)) ?? [];
          const left = old.filter((one) => !pieces.some((piece) => piece.key === one));
          const changes = [...left.map((one) => ({ key: one, value: null })), ...pieces];
          done = await values.swap([...changes, { key, value }], { key, value: stored });
        }
      })
      .catch((thrown: unknown) => {
        log.warn('What was pending in a file that is another one now could not be kept.', {
          reason: String(thrown),
        });
      })
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }
}

function inOrder(heads: readonly Head[]): readonly Head[] {
  return heads.toSorted((a, b) => a.at - b.at);
}

/** True when a file lost hunks of a review without a decision about them. */
function isDropped(before: FileReview, after: FileReview | undefined): boolean {
  if (isSettled(before) || after?.fileMissing === true) return false;
  if (after === undefined) return true;
  if (sameContent(before.document, after.document)) return false;
  const left = hunksOf(after);
  const ids = new Set(left.map(({ id }) => id));
  return hunksOf(before).some(
    (hunk) => !ids.has(hunk.id) && !left.some((other) => isRestOf(hunk, other)),
  );
}

/** Something else, a formatter, changed lines of a hunk: that is pending still. */
function isRestOf(hunk: Hunk, other: Hunk): boolean {
  const shares = (a: readonly string[], b: readonly string[]): boolean => {
    const lines = new Set(a.filter((line) => line.trim() !== ''));
    return b.some((line) => lines.has(line));
  };
  return shares(hunk.added, other.added) || shares(hunk.removed, other.removed);
}

function linesKey({ removed, added }: Hunk): string {
  return JSON.stringify([removed, added]);
}

function textFor(content: Content): string {
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

function headFrom(key: string, value: Json): Head | undefined {
  const { version, path, at, characters, kept, undecided } = objectFrom(value);
  if (version !== VERSION || typeof path !== 'string') return undefined;
  if (typeof at !== 'number' || typeof characters !== 'number') return undefined;
  return { key, path, at, characters, kept: keptFrom(kept), undecided: undecided === true };
}

function timeOf(head: Json | undefined): number {
  const { at } = objectFrom(head ?? null);
  return typeof at === 'number' ? at : NEVER;
}

function keptFrom(value: Json | undefined): KeptFile | undefined {
  const { hash, bytes, mode } = objectFrom(value ?? null);
  if (typeof hash !== 'string' || typeof bytes !== 'number' || typeof mode !== 'number')
    return undefined;
  return { hash, bytes, mode };
}

function asideFrom(value: Json, undecided: boolean): KeptAside | undefined {
  const { review: stored, accepted, left } = objectFrom(value);
  const review = stored === undefined ? undefined : reviewFrom(stored);
  if (review === undefined) return undefined;
  const pairs = listFrom(accepted).map((pair): AcceptedLines => {
    const [old, made] = listFrom(pair);
    return { old: linesFrom(old), new: linesFrom(made) };
  });
  const then = appliedTo(review.document, left);
  return { review, accepted: pairs, undecided, left: then, typed: false };
}

function objectFrom(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listFrom(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function linesFrom(value: Json | undefined): readonly string[] {
  return listFrom(value).filter((line) => typeof line === 'string');
}

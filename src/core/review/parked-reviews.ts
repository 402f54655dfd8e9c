import type { Json, JsonObject } from '../../domain/json.ts';
import type { Clock, Log, Values } from '../ports.ts';
import type { KeptFile } from '../ports/kept-contents.ts';
import { accept } from './decide.ts';
import type { Choice } from './decide.ts';
import { remembered, sameContent, sameLines } from './file-review.ts';
import type { Content, FileReview } from './file-review.ts';
import { chosenHunks, fingerprint, hunksOf, isSettled } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { reviewFrom, storedReview } from './stored-review.ts';
import { Turns } from './turns.ts';

const PREFIX = 'review-parked:';
const VERSION = 1;
/** Characters of one stored state; of a larger one the text stays and nothing else is kept. */
const LARGEST = 150_000;
/** States of one file, and of all; the oldest go. */
const MOST_OF_FILE = 4;
const MOST = 100;
const MOST_CHARACTERS = 3_000_000;
/** Decisions that are remembered with one state; beyond it the state is forgotten. */
const MOST_DECIDED = 500;
/** Milliseconds after which nobody comes back to it. */
const OLDEST = 30 * 24 * 60 * 60 * 1000;

/** Lines of a hunk that the person decided about elsewhere: it is not pending again. */
interface Pair {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** What was pending in a file while it had one content. */
interface Parked {
  readonly key: string;
  readonly at: number;
  readonly characters: number;
  readonly review: FileReview;
  readonly decided: readonly Pair[];
}

interface Parts {
  readonly values: Values;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Pending changes of contents that a file had and has not any more, because git checked out another
 * branch or stashed it, or something else replaced it. When the file has that very content again, they
 * are pending again, without those that the person decided about in the meantime.
 */
export class ParkedReviews {
  readonly #parts: Parts;
  readonly #states = new Map<string, Parked>();
  readonly #turns = new Turns();
  readonly #saving = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    for (const { key, value } of await this.#parts.values.list(PREFIX)) {
      const state = parkedFrom(key, value);
      // One of another version is left alone.
      if (state !== undefined) this.#states.set(key, state);
    }
    this.#sort();
    this.#bound();
  }

  /** Files of which something is parked. */
  get paths(): readonly string[] {
    return [...new Set([...this.#states.values()].map(({ review }) => review.path))];
  }

  /** Files as they were, that are needed when it is pending again. */
  get kept(): readonly KeptFile[] {
    return [...this.#states.values()].flatMap(({ review }) => review.kept ?? []);
  }

  has(path: string): boolean {
    return this.#of(path).length > 0;
  }

  /** Something else than the agent and the person made a file another one: hunks that are gone by that are kept. */
  changed(before: FileReview | undefined, after: FileReview | undefined): void {
    if (before === undefined || !isDropped(before, after)) return;
    const { path, document } = before;
    const key = `${PREFIX}${path}#${fingerprint(textFor(document))}`;
    const review = { ...before, memory: [], gone: false };
    const at = this.#parts.clock.now();
    const value = storedParked({ at, review, decided: [] });
    const characters = JSON.stringify(value).length;
    if (characters > LARGEST) {
      this.#parts.log.warn(
        'Pending changes are too large to be kept while the file is another one.',
        {
          path,
        },
      );
      return;
    }
    this.#states.delete(key);
    this.#states.set(key, { key, at, characters, review, decided: [] });
    this.#store(key, value);
    this.#bound();
  }

  /**
   * What was pending when the file had this content, without what is decided; `undefined`: nothing is known
   * of that, here or by now in the store, where another window may have taken it up.
   */
  async of(
    path: string,
    content: Content,
    now: FileReview | undefined,
  ): Promise<FileReview | undefined> {
    const known = this.#at(path, content);
    if (known === undefined) return undefined;
    await this.flush();
    const stored = await this.#parts.values.get(known.key);
    const state = stored === undefined ? undefined : parkedFrom(known.key, stored);
    if (state === undefined || !sameContent(state.review.document, content)) {
      this.#states.delete(known.key);
      return undefined;
    }
    const { memory = [], told = state.review.told } = now ?? {};
    const review = { ...state.review, memory, told };
    const decided = hunksOf(review)
      .filter((hunk) => state.decided.some((pair) => isPart(pair, hunk)))
      .map(({ id }) => id);
    return remembered(decided.length === 0 ? review : accept(review, decided));
  }

  /** It is pending again, or never will be. */
  async forget(path: string, content: Content): Promise<void> {
    const known = this.#at(path, content);
    if (known === undefined) return;
    this.#states.delete(known.key);
    this.#store(known.key, null);
    await this.flush();
  }

  /** The person decided about hunks; `review` as it was before. Resolves when that is on disk. */
  async decided(review: FileReview, choice: Choice): Promise<void> {
    const hunks = chosenHunks(review, choice);
    const isWhole = choice === 'all' || hunks.some(({ kind }) => kind !== 'change');
    for (const state of this.#of(review.path)) {
      // Of this very content everything that is left to decide is in the review.
      if (isWhole && sameContent(state.review.document, review.document)) {
        this.#states.delete(state.key);
        this.#store(state.key, null);
        continue;
      }
      const pairs = hunks.map(({ removed, added }): Pair => ({ old: removed, new: added }));
      const decided = [...state.decided, ...pairs];
      const isTooMuch = decided.length > MOST_DECIDED;
      if (isTooMuch) this.#states.delete(state.key);
      else this.#states.set(state.key, { ...state, decided });
      this.#store(state.key, isTooMuch ? null : storedParked({ ...state, decided }));
    }
    await this.flush();
  }

  async flush(): Promise<void> {
    await Promise.all(this.#saving);
  }

  #of(path: string): readonly Parked[] {
    return [...this.#states.values()].filter(({ review }) => review.path === path);
  }

  #at(path: string, content: Content): Parked | undefined {
    return this.#of(path).find(({ review }) => sameContent(review.document, content));
  }

  #sort(): void {
    const states = [...this.#states.values()].toSorted((a, b) => a.at - b.at);
    this.#states.clear();
    for (const state of states) this.#states.set(state.key, state);
  }

  #bound(): void {
    const since = this.#parts.clock.now() - OLDEST;
    const files = new Map<string, number>();
    let [count, characters] = [0, 0];
    for (const state of [...this.#states.values()].toReversed()) {
      const { path } = state.review;
      const ofFile = (files.get(path) ?? 0) + 1;
      files.set(path, ofFile);
      count += 1;
      characters += state.characters;
      const isTooMuch = ofFile > MOST_OF_FILE || count > MOST || characters > MOST_CHARACTERS;
      if (!isTooMuch && state.at >= since) continue;
      this.#states.delete(state.key);
      this.#store(state.key, null);
    }
  }

  #store(key: string, value: Json): void {
    const saving = this.#turns
      .take(key, () => this.#parts.values.set(key, value))
      .catch((thrown: unknown) => {
        this.#parts.log.warn(
          'What was pending in a file that is another one now could not be kept.',
          {
            reason: String(thrown),
          },
        );
      })
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }
}

/** Whether hunks of a review are not in what a file became, which nobody decided. */
function isDropped(before: FileReview, after: FileReview | undefined): boolean {
  if (isSettled(before) || after?.gone === true) return false;
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

/** Rather too much counts as decided than too little: nothing comes back that was. */
function isPart(pair: Pair, { removed, added }: Hunk): boolean {
  if (sameLines(pair.old, removed) && sameLines(pair.new, added)) return true;
  const [decided, here] = pair.new.length === 0 ? [pair.old, removed] : [pair.new, added];
  // A bracket or an empty line is in many hunks.
  return isTelling(decided) && isTelling(here) && (isIn(decided, here) || isIn(here, decided));
}

function isTelling(lines: readonly string[]): boolean {
  return lines.join('').replaceAll(/\W/gu, '') !== '';
}

function isIn(lines: readonly string[], all: readonly string[]): boolean {
  return all.some((_, at) => lines.every((line, index) => all[at + index] === line));
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

function storedParked({
  at,
  review,
  decided,
}: Pick<Parked, 'at' | 'review' | 'decided'>): JsonObject {
  return {
    version: VERSION,
    at,
    review: storedReview(review),
    decided: decided.map((pair): Json => [[...pair.old], [...pair.new]]),
  };
}

function parkedFrom(key: string, value: Json): Parked | undefined {
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined;
  const { version, at, review: stored, decided } = value;
  const review = stored === undefined ? undefined : reviewFrom(stored);
  if (version !== VERSION || typeof at !== 'number' || review === undefined) return undefined;
  const pairs = listFrom(decided).map((pair): Pair => {
    const [old, made] = listFrom(pair);
    return { old: linesFrom(old), new: linesFrom(made) };
  });
  return { key, at, characters: JSON.stringify(value).length, review, decided: pairs };
}

function listFrom(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function linesFrom(value: Json | undefined): readonly string[] {
  return listFrom(value).filter((line) => typeof line === 'string');
}

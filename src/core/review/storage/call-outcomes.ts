import type { Json } from '../../../domain/data/json.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../ports/log.ts';
import type { Values } from '../../ports/store/values.ts';
import type { Choice } from '../model/decide.ts';
import { pieceFrom, pieceOf, pieceToJson, settledBy, stateIn } from '../model/decided-pieces.ts';
import type { Piece } from '../model/decided-pieces.ts';
import { type Content, type FileReview, sameContent } from '../model/file-review.ts';
import { type Hunk, chosenHunks, hunksOf } from '../model/hunks.ts';

const KEY = 'review-outcomes';
/** Calls of a session whose outcome is kept; the oldest go. */
const MOST = 1000;
/** Of these, the newest, it is known what their changes were; the others stay as they were decided. */
const MOST_FOLLOWED = 100;

/** How many of the changes of a call the person has accepted and rejected, as far as that still holds. */
export interface CallOutcome {
  readonly accepted: number;
  readonly rejected: number;
  /** Accepted, and not in the file any more; absent: none. */
  readonly undone?: number;
}

type Calls = Map<string, readonly Piece[]>;

const NONE: ReadonlyMap<string, CallOutcome> = new Map();

/** The outcome of each call's changes, by what the files hold, for its card. */
export class CallOutcomes {
  readonly #values: Values;
  readonly #log: Log;
  /** A file as it is; rejects where it cannot be read. */
  readonly #read: (path: string) => Promise<Content>;
  readonly #sessions = new Map<string, Promise<Calls>>();
  readonly #known = new Map<string, Calls>();
  /** Files of which something was decided, as they are. */
  readonly #files = new Map<string, Content>();
  /** Pending hunks at the last look. */
  readonly #pending = new Map<string, readonly Hunk[]>();
  readonly #listeners = new Set<() => void>();
  #putting = Promise.resolve();

  constructor(values: Values, log: Log, read: (path: string) => Promise<Content>) {
    this.#values = values;
    this.#log = log;
    this.#read = read;
  }

  /** Reads what is on record of a session, and what its files are; afterwards `of` knows it. */
  async load(sessionId: string): Promise<void> {
    const calls = await this.#session(sessionId);
    const paths = new Set([...calls.values()].flat().map(({ path }) => path));
    for (const path of paths) if (!this.#files.has(path)) await this.#look(path);
  }

  /** Takes over what other windows have put on record of the sessions that were read. */
  async refresh(): Promise<void> {
    for (const sessionId of this.#sessions.keys()) await this.#fresh(sessionId);
  }

  /** Hears when another window decided about the changes of a call, or a file became another one. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** By call; empty before `load`. */
  of(sessionId: string): ReadonlyMap<string, CallOutcome> {
    const calls = this.#known.get(sessionId);
    if (calls === undefined) return NONE;
    return new Map([...calls].map(([callId, pieces]) => [callId, this.#outcome(pieces)]));
  }

  /** True when something was decided about a file that a session on record here changed. */
  concerns(path: string): boolean {
    return this.#files.has(path);
  }

  /** A file of which something was decided is another one now. */
  fileIs(path: string, content: Content): void {
    const known = this.#files.get(path);
    if (known === undefined || sameContent(known, content)) return;
    this.#files.set(path, content);
    this.#tell();
  }

  /**
   * Pending changes are others. One that is gone without a decision was dropped by the person: by Undo, or
   * by an arrow of a diff.
   */
  reviewIs(path: string, review: FileReview | undefined): void {
    const before = this.#pending.get(path) ?? [];
    const now = review === undefined ? [] : hunksOf(review);
    if (now.length === 0) this.#pending.delete(path);
    else this.#pending.set(path, now);
    if (review === undefined || before === now) return;
    const ids = new Set(now.map(({ id }) => id));
    const gone = before.filter(({ id }) => !ids.has(id));
    // A change by the agent of its own changes is nobody's decision.
    if (gone.length === 0 || sameContent(review.knownToModel, review.document)) return;
    const known = new Set(before.map(({ id }) => id));
    const made = now.filter(({ id }) => !known.has(id));
    const dropped = gone.filter((hunk) => !made.some((one) => isMadeOf(one, hunk)));
    if (dropped.length > 0) void this.#put(review, dropped, 'rejected');
  }

  /** The person decided; `review` as it was before. What cannot be kept is only not shown: never rejects. */
  async decided(decision: 'accept' | 'reject', review: FileReview, choice: Choice): Promise<void> {
    const made = decision === 'accept' ? 'accepted' : 'rejected';
    await this.#put(review, chosenHunks(review, choice), made);
  }

  #outcome(pieces: readonly Piece[]): CallOutcome {
    const states = pieces.map((piece) => stateIn(piece, this.#files.get(piece.path)));
    const count = (state: string): number => states.filter((one) => one === state).length;
    const undone = count('undone');
    const outcome = { accepted: count('accepted'), rejected: count('rejected') };
    return undone === 0 ? outcome : { ...outcome, undone };
  }

  /** One after the other: the last word counts. */
  #put(review: FileReview, hunks: readonly Hunk[], made: Piece['made']): Promise<void> {
    this.#putting = this.#putting.then(() => this.#store(review, hunks, made));
    return this.#putting;
  }

  async #store(review: FileReview, hunks: readonly Hunk[], made: Piece['made']): Promise<void> {
    // A renaming alone, decided, is one.
    const whole = review.wholeFileBy.slice(-1).map((by) => ({ removed: [], added: [], by: [by] }));
    const all = hunks.length === 0 ? whole : hunks;
    const authors = all.flatMap(({ by }) => by).filter(({ sessionId }) => sessionId !== '');
    const { path } = review;
    try {
      for (const sessionId of new Set(authors.map((one) => one.sessionId))) {
        const calls = await this.#fresh(sessionId);
        for (const hunk of made === 'accepted' ? all : [])
          for (const [callId, pieces] of calls)
            calls.set(
              callId,
              pieces.map((one) => (one.path === path ? settledBy(one, hunk) : one)),
            );
        for (const hunk of all)
          for (const { callId } of hunk.by.filter((one) => one.sessionId === sessionId)) {
            const piece = pieceOf(review, hunk, made);
            const others = (calls.get(callId) ?? []).filter(
              (one) => one.key !== piece.key || one.path !== path,
            );
            calls.delete(callId);
            calls.set(callId, [...others, piece]);
          }
        const kept = [...calls].slice(-MOST);
        const entries = kept.map(([callId, pieces], index): Json => {
          const isFollowed = index >= kept.length - MOST_FOLLOWED;
          const stored = isFollowed ? pieces : pieces.map(plain);
          return [callId, stored.map(pieceToJson)];
        });
        await this.#values.set(KEY, entries, sessionId);
      }
      await this.#look(path);
    } catch (thrown) {
      this.#log.warn('What was decided about the changes of a call could not be kept.', {
        reason: String(thrown),
      });
    }
  }

  async #look(path: string): Promise<void> {
    const content = await this.#read(path).catch(() => undefined);
    if (content === undefined) return;
    this.#files.set(path, content);
    this.#tell();
  }

  #tell(): void {
    this.#listeners.forEach((listener) => listener());
  }

  /** As it is in the store by now. */
  async #fresh(sessionId: string): Promise<Calls> {
    const known = await this.#session(sessionId);
    const stored = callsFrom(await this.#values.get(KEY, sessionId));
    if (JSON.stringify([...known]) === JSON.stringify([...stored])) return known;
    known.clear();
    for (const [callId, pieces] of stored) known.set(callId, pieces);
    this.#tell();
    return known;
  }

  #session(sessionId: string): Promise<Calls> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const reading = this.#values.get(KEY, sessionId).then((value) => {
      const calls = callsFrom(value);
      this.#known.set(sessionId, calls);
      return calls;
    });
    this.#sessions.set(sessionId, reading);
    reading.catch(() => this.#sessions.delete(sessionId));
    return reading;
  }
}

/** The person edited a change: it is another one in the same place. */
function isMadeOf(one: Hunk, hunk: Hunk): boolean {
  return (
    one.baselineFrom <= hunk.baselineTo &&
    one.baselineTo >= hunk.baselineFrom &&
    one.by.some(({ callId }) => hunk.by.some((other) => other.callId === callId))
  );
}

/** Of which only the decision is known. */
const plain = (piece: Piece): Piece => ({ ...piece, added: [], removed: [] });

function callsFrom(value: Json | undefined): Calls {
  const calls: Calls = new Map();
  for (const entry of listIn(value)) {
    const parts = listIn(entry);
    const [callId, pieces, rejected] = parts;
    if (typeof callId !== 'string') continue;
    // Counts alone, of an older version.
    if (typeof pieces === 'number' && typeof rejected === 'number')
      calls.set(callId, [
        ...countedPieces('accepted', pieces),
        ...countedPieces('rejected', rejected),
      ]);
    else
      calls.set(
        callId,
        listIn(pieces).flatMap((one) => pieceFrom(one) ?? []),
      );
  }
  return calls;
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function countedPieces(made: Piece['made'], count: number): readonly Piece[] {
  return Array.from({ length: Math.min(count, MOST) }, (_, index) => ({
    path: '',
    key: `${made} ${index}`,
    made,
    added: [],
    removed: [],
  }));
}

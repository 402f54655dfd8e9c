import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { Log } from '../../ports/log.ts';
import type { Values } from '../../ports/store/values.ts';
import type { Choice } from '../model/decide.ts';
import type { FileReview } from '../model/file-review.ts';
import { chosenHunks, hunksOf } from '../model/hunks.ts';

const KEY = 'review-outcomes';
/** Calls of a session whose outcome is kept; the oldest go. */
const MAX_CALLS = 1000;

/** How many of the changes of a call the user has kept and undone. */
export interface CallOutcome {
  readonly kept: number;
  readonly undone: number;
}

/** A decision about one hunk; the id is that of the hunk, or that of a renaming. */
interface DecidedHunk {
  readonly path: string;
  readonly id: string;
  readonly made: 'kept' | 'undone';
}

type Calls = Map<string, readonly DecidedHunk[]>;

interface Parts {
  readonly values: Values;
  readonly log: Log;
  /** The pending changes of a file: what is pending again is not decided. */
  readonly find: (path: string) => FileReview | undefined;
}

/** The outcome of each call's changes, for its card. */
export class CallOutcomes {
  readonly #parts: Parts;
  /** By session, as they were read. */
  readonly #sessions = new Map<string, Calls>();
  readonly #signal = new Listeners();
  #storing = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads what is on record of a session; afterwards `of` knows it. */
  async load(sessionId: string): Promise<void> {
    this.#sessions.set(sessionId, readCalls(await this.#parts.values.get(KEY, sessionId)));
    this.#signal.fire();
  }

  /** Takes over what other windows have put on record of the sessions that were read. */
  async refresh(): Promise<void> {
    for (const sessionId of this.#sessions.keys()) await this.load(sessionId);
  }

  onChange(listener: () => void): Disposable {
    return this.#signal.listen(listener);
  }

  /** By call; empty before `load`. */
  of(sessionId: string): ReadonlyMap<string, CallOutcome> {
    const found = new Map<string, CallOutcome>();
    for (const [callId, hunks] of this.#sessions.get(sessionId) ?? []) {
      const decided = hunks.filter((one) => !this.#isPending(one));
      const count = (made: DecidedHunk['made']): number =>
        decided.filter((one) => one.made === made).length;
      const outcome = { kept: count('kept'), undone: count('undone') };
      if (decided.length > 0) found.set(callId, outcome);
    }
    return found;
  }

  /** The user decided; `row` as it was before. What cannot be stored is only not shown: never rejects. */
  async decided(decision: 'keep' | 'undo', row: FileReview, choice: Choice): Promise<void> {
    const made = decision === 'keep' ? 'kept' : 'undone';
    this.#storing = this.#storing
      .then(() => this.#add(row, choice, made))
      .catch((thrown: unknown) =>
        this.#parts.log.warn('What was decided about the changes of a call could not be stored.', {
          reason: String(thrown),
        }),
      );
    await this.#storing;
  }

  async #add(row: FileReview, choice: Choice, made: DecidedHunk['made']): Promise<void> {
    const { path, wholeFileBy } = row;
    const hunks = chosenHunks(row, choice);
    const decided = hunks.length === 0 ? [{ id: 'renaming', by: wholeFileBy.slice(-1) }] : hunks;
    const sessions = new Set(decided.flatMap(({ by }) => by.map(({ sessionId }) => sessionId)));
    for (const sessionId of sessions) {
      if (sessionId === '') continue;
      await this.load(sessionId);
      const calls: Calls = new Map(this.#sessions.get(sessionId));
      for (const { id, by } of decided)
        for (const { callId } of by.filter((one) => one.sessionId === sessionId)) {
          const others = (calls.get(callId) ?? []).filter(
            (one) => one.id !== id || one.path !== path,
          );
          calls.delete(callId);
          calls.set(callId, [...others, { path, id, made }]);
        }
      const kept = [...calls].slice(-MAX_CALLS);
      this.#sessions.set(sessionId, new Map(kept));
      const value = kept.map(([callId, all]): Json => [callId, all.map((one) => ({ ...one }))]);
      await this.#parts.values.set(KEY, value, sessionId);
    }
    this.#signal.fire();
  }

  #isPending({ path, id }: DecidedHunk): boolean {
    const row = this.#parts.find(path);
    return row !== undefined && hunksOf(row).some((hunk) => hunk.id === id);
  }
}

function readCalls(value: Json | undefined): Calls {
  const calls: Calls = new Map();
  for (const entry of readList(value)) {
    const [callId, hunks] = readList(entry);
    if (typeof callId === 'string') calls.set(callId, readList(hunks).flatMap(readHunk));
  }
  return calls;
}

function readHunk(value: Json): readonly DecidedHunk[] {
  const { path, id, made } = isJsonObject(value) ? value : {};
  if (typeof path !== 'string' || typeof id !== 'string') return [];
  return made === 'kept' || made === 'undone' ? [{ path, id, made }] : [];
}

function readList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

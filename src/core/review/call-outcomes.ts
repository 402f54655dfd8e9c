import type { Json } from '../../domain/json.ts';
import type { Disposable, Log, Values } from '../ports.ts';
import type { Choice } from './decide.ts';
import type { FileReview } from './file-review.ts';
import { chosenHunks } from './hunks.ts';

const KEY = 'review-outcomes';
/** Calls of a session whose outcome is kept; the oldest go. */
const MOST = 1000;

/** How many of the changes of a call the person has accepted and rejected. */
export interface CallOutcome {
  readonly accepted: number;
  readonly rejected: number;
}

const NONE: ReadonlyMap<string, CallOutcome> = new Map();

/** What the person decided about the changes of each call, so that its card can tell. */
export class CallOutcomes {
  readonly #values: Values;
  readonly #log: Log;
  readonly #sessions = new Map<string, Promise<Map<string, CallOutcome>>>();
  readonly #read = new Map<string, ReadonlyMap<string, CallOutcome>>();
  readonly #listeners = new Set<() => void>();

  constructor(values: Values, log: Log) {
    this.#values = values;
    this.#log = log;
  }

  /** Reads what is on record of a session; afterwards `of` knows it. */
  async load(sessionId: string): Promise<void> {
    await this.#session(sessionId);
  }

  /** Takes over what other windows have put on record of the sessions that were read. */
  async refresh(): Promise<void> {
    for (const sessionId of this.#sessions.keys()) await this.#fresh(sessionId);
  }

  /** Hears when another window decided about the changes of a call. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** By call; empty before `load`. */
  of(sessionId: string): ReadonlyMap<string, CallOutcome> {
    return this.#read.get(sessionId) ?? NONE;
  }

  /** The person decided; `review` as it was before. What cannot be kept is only not shown: never rejects. */
  async decided(decision: 'accept' | 'reject', review: FileReview, choice: Choice): Promise<void> {
    const hunks = chosenHunks(review, choice);
    const made = hunks.length === 0 ? review.whole.slice(-1) : hunks.flatMap(({ by }) => [...by]);
    const authors = made.filter(({ sessionId }) => sessionId !== '');
    try {
      for (const sessionId of new Set(authors.map((one) => one.sessionId))) {
        const outcomes = await this.#fresh(sessionId);
        for (const { callId } of authors.filter((one) => one.sessionId === sessionId)) {
          const { accepted, rejected } = outcomes.get(callId) ?? { accepted: 0, rejected: 0 };
          outcomes.delete(callId);
          outcomes.set(
            callId,
            decision === 'accept'
              ? { accepted: accepted + 1, rejected }
              : { accepted, rejected: rejected + 1 },
          );
        }
        const entries = [...outcomes]
          .slice(-MOST)
          .map(([callId, { accepted, rejected }]): Json => [callId, accepted, rejected]);
        await this.#values.set(KEY, entries, sessionId);
      }
    } catch (thrown) {
      this.#log.warn('What was decided about the changes of a call could not be kept.', {
        reason: String(thrown),
      });
    }
  }

  /** As it is in the store by now. */
  async #fresh(sessionId: string): Promise<Map<string, CallOutcome>> {
    const known = await this.#session(sessionId);
    const stored = outcomesFrom(await this.#values.get(KEY, sessionId));
    if (JSON.stringify([...known]) === JSON.stringify([...stored])) return known;
    known.clear();
    for (const [callId, outcome] of stored) known.set(callId, outcome);
    this.#listeners.forEach((listener) => listener());
    return known;
  }

  #session(sessionId: string): Promise<Map<string, CallOutcome>> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const reading = this.#values.get(KEY, sessionId).then((value) => {
      const outcomes = outcomesFrom(value);
      this.#read.set(sessionId, outcomes);
      return outcomes;
    });
    this.#sessions.set(sessionId, reading);
    reading.catch(() => this.#sessions.delete(sessionId));
    return reading;
  }
}

function outcomesFrom(value: Json | undefined): Map<string, CallOutcome> {
  const outcomes = new Map<string, CallOutcome>();
  const entries: readonly Json[] = Array.isArray(value) ? value : [];
  for (const entry of entries) {
    const parts: readonly Json[] = Array.isArray(entry) ? entry : [];
    const [callId, accepted, rejected] = parts;
    if (typeof callId !== 'string' || typeof accepted !== 'number' || typeof rejected !== 'number')
      continue;
    outcomes.set(callId, { accepted, rejected });
  }
  return outcomes;
}

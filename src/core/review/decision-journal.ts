import type { Json } from '../../domain/json.ts';
import type { Values } from '../ports.ts';
import type { Selected } from './reviews.ts';

const KEY = 'review-decision';

/** A decision about several files that a crash, or the end of the window, interrupted. */
export interface InterruptedDecision {
  readonly decision: 'accept' | 'reject';
  /** Files that it did not come to; they are pending as they were. */
  readonly left: readonly Selected[];
}

/** What is being decided about several files, on disk for as long as it takes. */
export class DecisionJournal {
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  async begin(
    decision: InterruptedDecision['decision'],
    selected: readonly Selected[],
  ): Promise<void> {
    await this.#values.set(KEY, {
      decision,
      selected: selected.map(({ kind, path, choice = 'all' }): Json => ({
        kind,
        path,
        choice: choiceOf(choice),
      })),
    });
  }

  async end(): Promise<void> {
    await this.#values.set(KEY, null);
  }

  /** What an earlier window left; `undefined`: nothing, or nothing of it is pending any more. */
  async interrupted(
    isPending: (one: Selected) => boolean,
  ): Promise<InterruptedDecision | undefined> {
    const stored = (await this.#values.get(KEY)) as
      | { readonly decision: InterruptedDecision['decision']; readonly selected: Selected[] }
      | undefined
      | null;
    if (stored === undefined || stored === null) return undefined;
    const left = stored.selected.filter(isPending);
    if (left.length > 0) return { decision: stored.decision, left };
    await this.end();
    return undefined;
  }
}

function choiceOf(choice: NonNullable<Selected['choice']>): Json {
  return choice === 'all' ? choice : [...choice];
}

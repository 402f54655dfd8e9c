import type { Clock } from './clock.ts';

/** A promise's value; `undefined` after so many milliseconds. */
export async function within<Value>(
  clock: Clock,
  patience: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const over = new AbortController();
  const late = clock.sleep(patience, over.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
  }
}

/** Time that several waits have together; when it is used up, the later ones are not waited for. */
export class SharedTimeBudget {
  readonly #clock: Clock;
  /** Milliseconds. */
  #left: number;

  constructor(clock: Clock, patience: number) {
    this.#clock = clock;
    this.#left = patience;
  }

  /** A promise's value; `undefined` when the time is over before. */
  async wait<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    const began = this.#clock.monotonic();
    try {
      return await within(this.#clock, this.#left, promise);
    } finally {
      this.#left = Math.max(0, this.#left - (this.#clock.monotonic() - began));
    }
  }
}

/** Runs whose turns are remembered; those of long ago have ended. */
const MOST_RUNS = 100;

/** Time that all calls of one turn have together, however many they are. */
export class TurnTimeBudget {
  readonly #clock: Clock;
  /** Milliseconds. */
  readonly #patience: number;
  /** The newest turn of each run. */
  readonly #turns = new Map<
    string,
    { readonly turn: number; readonly patience: SharedTimeBudget }
  >();

  constructor(clock: Clock, patience: number) {
    this.#clock = clock;
    this.#patience = patience;
  }

  /** @param turn absent: whatever it is, it has a time of its own */
  of(runId: string, turn: number | undefined): SharedTimeBudget {
    const known = this.#turns.get(runId);
    if (turn !== undefined && known?.turn === turn) return known.patience;
    const patience = new SharedTimeBudget(this.#clock, this.#patience);
    if (turn === undefined) return patience;
    this.#turns.delete(runId);
    this.#turns.set(runId, { turn, patience });
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MOST_RUNS && oldest !== undefined) this.#turns.delete(oldest);
    return patience;
  }
}

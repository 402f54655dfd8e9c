import type { Clock } from './ports.ts';

/**
 * What a promise gives; `undefined` when it takes longer.
 * @param patience milliseconds
 */
export async function soon<Value>(
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
export class SharedPatience {
  readonly #clock: Clock;
  /** Milliseconds. */
  #left: number;

  constructor(clock: Clock, patience: number) {
    this.#clock = clock;
    this.#left = patience;
  }

  /** What a promise gives; `undefined` when the time is over before. */
  async wait<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    const began = this.#clock.monotonic();
    try {
      return await soon(this.#clock, this.#left, promise);
    } finally {
      this.#left = Math.max(0, this.#left - (this.#clock.monotonic() - began));
    }
  }
}

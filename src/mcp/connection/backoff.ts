import type { Clock } from '../../core/ports/clock.ts';

/** Tries in a row before the person has to restart the server. */
const mostTries = 5;
/** Milliseconds: 1 s, 2 s, 4 s, 8 s, 16 s. */
const firstWait = 1000;
/** Milliseconds of being ready after which earlier failures are forgotten. */
const stableAfter = 60_000;
/** Milliseconds after which a server that was given up is tried again when it is needed. */
const restedAfter = 60_000;

export class Backoff {
  readonly #clock: Clock;
  #tries = 0;
  #readySince: number | undefined;
  #lastFailure: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  reset(): void {
    this.#tries = 0;
    this.#readySince = undefined;
  }

  ready(): void {
    this.#readySince = this.#clock.monotonic();
  }

  failed(): void {
    this.#lastFailure = this.#clock.monotonic();
  }

  /** The last failure was a while ago. */
  get rested(): boolean {
    const since = this.#lastFailure;
    return since !== undefined && this.#clock.monotonic() - since >= restedAfter;
  }

  /** Milliseconds to wait after a failure; `undefined`: enough. */
  next(): number | undefined {
    const since = this.#readySince;
    if (since !== undefined && this.#clock.monotonic() - since >= stableAfter) this.#tries = 0;
    this.#readySince = undefined;
    if (this.#tries >= mostTries) return undefined;
    this.#tries += 1;
    return firstWait * 2 ** (this.#tries - 1);
  }
}

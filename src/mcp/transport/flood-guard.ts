import type { Clock } from '../../core/ports/clock.ts';

/** Messages of a server in a window, above which it is ended: it would keep this process busy for nothing. */
const SERVER = { most: 20_000, windowMs: 10_000 };

/** Notices a server that sends more than anybody can use. */
export class FloodGuard {
  readonly #clock: Clock;
  readonly #onFlood: () => void;
  readonly #limit: typeof SERVER;
  #windowStart: number;
  #counted = 0;
  #tripped = false;

  /** `onFlood` is told once. */
  constructor(clock: Clock, onFlood: () => void, limit = SERVER) {
    this.#clock = clock;
    this.#onFlood = onFlood;
    this.#limit = limit;
    this.#windowStart = clock.monotonic();
  }

  /** Counts a message, or something of another weight; true when there were too many, from then on. */
  count(weight = 1): boolean {
    if (this.#tripped) return true;
    const now = this.#clock.monotonic();
    if (now - this.#windowStart > this.#limit.windowMs) {
      this.#windowStart = now;
      this.#counted = 0;
    }
    this.#counted += weight;
    if (this.#counted <= this.#limit.most) return false;
    this.#tripped = true;
    this.#onFlood();
    return true;
  }
}

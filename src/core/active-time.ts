import type { Clock } from './ports.ts';

/** Counts the milliseconds of work of a run; time waiting for the human is left out (C5). */
export class ActiveTime {
  readonly #clock: Clock;
  #counted: number;
  #since: number | undefined;
  #waits = 0;

  /** `counted`: milliseconds carried over from a checkpoint. */
  constructor(clock: Clock, counted = 0) {
    this.#clock = clock;
    this.#counted = counted;
    this.#since = clock.monotonic();
  }

  get milliseconds(): number {
    return this.#counted + (this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since);
  }

  /** The human is asked; waits nest, as parallel calls may ask together. */
  pause(): void {
    this.#waits += 1;
    if (this.#since === undefined) return;
    this.#counted += this.#clock.monotonic() - this.#since;
    this.#since = undefined;
  }

  resume(): void {
    this.#waits = Math.max(0, this.#waits - 1);
    if (this.#waits === 0) this.#since ??= this.#clock.monotonic();
  }
}

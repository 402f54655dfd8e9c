import type { Disposable } from '../../src/domain/lifetime/disposable.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';

interface Repeated {
  readonly ms: number;
  readonly run: () => void;
  due: number;
}

/** Milliseconds from which a repeated timer is turned by hand. */
const BY_HAND = 1000;

/**
 * The machine's clock for everything that is quick, so that a whole engine goes on at its own pace;
 * what is done again and again at long intervals, and the time of day, are in the test's hand.
 */
export class HandClock extends SystemClock {
  readonly #repeated = new Set<Repeated>();
  #now = Date.UTC(2026, 10, 21);

  override now(): number {
    return this.#now;
  }

  override every(ms: number, run: () => void): Disposable {
    if (ms < BY_HAND) return super.every(ms, run);
    const timer: Repeated = { ms, run, due: this.#now + ms };
    this.#repeated.add(timer);
    return { dispose: () => this.#repeated.delete(timer) };
  }

  /** The time of day is another one at once, as after a long sleep: nothing was due meanwhile. */
  jump(ms: number): void {
    this.#now += ms;
    for (const timer of this.#repeated) timer.due += ms;
  }

  /** Lets so many milliseconds pass; what is due is begun, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [first] = [...this.#repeated].toSorted((one, other) => one.due - other.due);
      if (first === undefined || first.due > end) break;
      this.#now = first.due;
      first.due += first.ms;
      first.run();
    }
    this.#now = end;
  }
}

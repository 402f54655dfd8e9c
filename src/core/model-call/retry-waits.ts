import type { Clock } from '../ports/clock.ts';

/** The waits between the attempts of one run's model calls; a person who knows better may end them early. */
export class RetryWaits {
  #early: AbortController | undefined;

  /** Ends the wait that is going on: the next attempt begins now. `false`: nothing waits. */
  skip(): boolean {
    if (this.#early === undefined) return false;
    this.#early.abort();
    return true;
  }

  /** Resolves after `ms`, or earlier when it is skipped; `true` then. Rejects when `signal` fires. */
  async sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
    const early = new AbortController();
    this.#early = early;
    try {
      await clock.sleep(ms, AbortSignal.any([signal, early.signal]));
      return false;
    } catch (thrown) {
      if (signal.aborted || !early.signal.aborted) throw thrown;
      return true;
    } finally {
      if (this.#early === early) this.#early = undefined;
    }
  }
}

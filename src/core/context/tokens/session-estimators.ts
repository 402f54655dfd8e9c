import type { TokenEstimator } from './estimate.ts';

/** Sessions whose last count is remembered; one costs little more than its newest message. */
const MOST_SESSIONS = 32;

/** Estimators by session: the provider's count at the end of one run is the exact base of the next. */
export class SessionEstimators {
  readonly #make: () => TokenEstimator;
  readonly #bySession = new Map<string, TokenEstimator>();

  constructor(make: () => TokenEstimator) {
    this.#make = make;
  }

  /** The session's own; without a session one for this time only. */
  of(sessionId: string | undefined): TokenEstimator {
    if (sessionId === undefined) return this.#make();
    const estimator = this.#bySession.get(sessionId) ?? this.#make();
    this.#bySession.delete(sessionId);
    this.#bySession.set(sessionId, estimator);
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > MOST_SESSIONS && oldest !== undefined)
      this.#bySession.delete(oldest);
    return estimator;
  }
}

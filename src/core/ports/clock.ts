import type { Disposable } from '../../domain/lifetime/disposable.ts';

/** Time. Every wait of the core goes through it, so that tests can turn the hands. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. For people and for records. */
  now(): number;
  /** Milliseconds that never go back; for durations and limits. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with an AbortError when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  after(ms: number, run: () => void): Disposable;
  every(ms: number, run: () => void): Disposable;
}

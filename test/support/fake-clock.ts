import { setImmediate } from 'node:timers/promises';
import { abortError } from '../../src/domain/lifetime/abort.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { Disposable } from '../../src/domain/lifetime/disposable.ts';

interface Timer {
  readonly order: number;
  readonly period: number | undefined;
  readonly run: () => void;
  due: number;
}

/** A clock whose hands the test turns. Passes the clock's contract suite. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #wall: number;
  #elapsed = 0;
  #order = 0;

  /** `start`: milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 10, 21)) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** Timers that wait; 0 when everything was disposed of. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer is due; `undefined` when there is none. */
  get next(): number | undefined {
    const first = this.#first();
    return first === undefined ? undefined : first.due - this.#elapsed;
  }

  /** Moves the wall clock only, as a person or the network may. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /**
   * Lets `ms` pass. Timers fire in order, those that are set on the way too; after each, pending
   * promises and quick input and output get their turn.
   */
  async advance(ms: number): Promise<void> {
    await settle();
    const end = this.#elapsed + ms;
    for (
      let timer = this.#first();
      timer !== undefined && timer.due <= end;
      timer = this.#first()
    ) {
      this.#elapsed = Math.max(this.#elapsed, timer.due);
      if (timer.period === undefined) this.#timers.delete(timer);
      else timer.due += timer.period;
      timer.run();
      await settle();
    }
    this.#elapsed = end;
    await settle();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) throw abortError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = this.after(ms, resolve);
    const stop = (): void => reject(abortError());
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await promise;
    } finally {
      timer.dispose();
      signal?.removeEventListener('abort', stop);
    }
  }

  after(ms: number, run: () => void): Disposable {
    return this.#add(ms, undefined, run);
  }

  every(ms: number, run: () => void): Disposable {
    return this.#add(ms, Math.max(1, ms), run);
  }

  #add(ms: number, period: number | undefined, run: () => void): Disposable {
    this.#order += 1;
    const timer: Timer = {
      order: this.#order,
      period,
      run,
      due: this.#elapsed + Math.max(0, period ?? ms),
    };
    this.#timers.add(timer);
    return { dispose: () => this.#timers.delete(timer) };
  }

  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (
        first === undefined ||
        timer.due < first.due ||
        (timer.due === first.due && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    return first;
  }
}

/** Several turns of the event loop: promise chains and worker messages come to rest. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

import { performance } from 'node:perf_hooks';
import { abortError } from '../../domain/lifetime/abort.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';

/** The longest wait of one `setTimeout`; a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's clock. Its timers hold the process, so dispose of what is no longer needed. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted === true) throw abortError();
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
    const due = this.monotonic() + ms;
    let timer: NodeJS.Timeout | undefined;
    const arm = (): void => {
      const left = due - this.monotonic();
      timer =
        left > LONGEST_TIMER ? setTimeout(arm, LONGEST_TIMER) : setTimeout(run, Math.max(0, left));
    };
    arm();
    return { dispose: () => clearTimeout(timer) };
  }

  every(ms: number, run: () => void): Disposable {
    const timer = setInterval(run, Math.min(ms, LONGEST_TIMER));
    return { dispose: () => clearInterval(timer) };
  }
}

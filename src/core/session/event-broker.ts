import { type RunEvent, type RunEventBody, categoryOf } from '../../domain/event.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/disposable.ts';
import type { Log } from '../ports/log.ts';

/** Events a slow subscriber may fall behind before it loses the oldest ones (B7). */
const BUFFER = 64;

export interface Subscription extends AsyncIterable<RunEvent>, Disposable {
  /** Events lost because the buffer was full; resynchronize from the store when it grows. */
  readonly lost: number;
}

/** Publishes run events (B7), never blocks or throws: `listen` at once, `subscribe` buffered. */
export class EventBroker {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #seq = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Subscribers at the moment; 0 when everything was disposed of. */
  get size(): number {
    return this.#listeners.size;
  }

  publish(sessionId: string, runId: string, body: RunEventBody): void {
    this.#seq += 1;
    const event: RunEvent = {
      ...body,
      seq: this.#seq,
      sessionId,
      runId,
      at: this.#clock.now(),
      category: categoryOf(body.type),
    };
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#log.error(`A subscriber failed on ${event.type}.`, error);
      }
    }
  }

  /** Calls `listener` for every event until disposed. It must be quick. */
  listen(listener: (event: RunEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** A buffered stream; it ends, and the subscription with it, when the signal fires or on `dispose`. */
  subscribe(signal?: AbortSignal): Subscription {
    const buffer: RunEvent[] = [];
    let lost = 0;
    let wake: (() => void) | undefined;
    let open = signal?.aborted !== true;
    const listening = this.listen((event) => {
      if (buffer.length >= BUFFER) {
        buffer.shift();
        lost += 1;
      }
      buffer.push(event);
      wake?.();
    });
    const close = (): void => {
      open = false;
      listening.dispose();
      signal?.removeEventListener('abort', close);
      wake?.();
    };
    if (open) signal?.addEventListener('abort', close);
    else listening.dispose();
    async function* stream(): AsyncGenerator<RunEvent> {
      try {
        for (;;) {
          const event = buffer.shift();
          if (event !== undefined) yield event;
          else if (!open) return;
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            wake = undefined;
          }
        }
      } finally {
        close();
      }
    }
    const events = stream();
    return {
      [Symbol.asyncIterator]: () => events,
      dispose: close,
      get lost() {
        return lost;
      },
    };
  }
}

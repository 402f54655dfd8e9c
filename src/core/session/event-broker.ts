import type { RunEvent, RunEventBody } from '../../domain/event.ts';
import { categoryOf } from '../../domain/event-catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Log } from '../ports/log.ts';
import { type EventRecords, EventSubscription } from './event-subscription.ts';

/**
 * Publishes run events (B7); it never blocks or throws. What keeps state of this process and returns at
 * once listens; whatever may take its time (a connection, a page, another program) subscribes.
 */
export class EventBroker {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records: EventRecords;
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #seq = 0;

  /** @param records where subscribers that were slow read what they lost */
  constructor(clock: Clock, log: Log, records: EventRecords) {
    this.#clock = clock;
    this.#log = log;
    this.#records = records;
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

  /**
   * A stream for one reader, however slow; see `EventSubscription`. It ends when the signal fires, on
   * `dispose`, or when its reader leaves the loop.
   * @param sessionId only of this session
   */
  subscribe(signal?: AbortSignal, sessionId?: string): EventSubscription {
    const subscription = new EventSubscription(this.#records, this.#log);
    const listening = this.listen((event) => {
      if (sessionId === undefined || event.sessionId === sessionId) subscription.add(event);
    });
    subscription.onClose(() => listening.dispose());
    subscription.endWith(signal);
    return subscription;
  }
}

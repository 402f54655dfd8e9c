import type { RunEvent } from '../domain/event.ts';
import { isTransient } from '../domain/event-catalog.ts';
import { failureOf } from '../domain/failure.ts';
import type { Json } from '../domain/data/json.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Log } from '../core/ports/log.ts';
import type { Write } from '../core/ports/store/recorder.ts';
import type { Background } from './rpc.ts';

/** Longest wait until a draft or an event goes to the disk, milliseconds; B3 allows 250 in all. */
const WAIT = 150;

/** Events kept while the database refuses them (a full disk); the oldest go first. */
const KEPT_EVENTS = 10_000;

interface Draft {
  readonly messageId: string;
  readonly parts: Json;
}

/** Collects drafts and events and writes them together, off the run's path (B3, B7). */
export class BackgroundWriter {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #epoch: number;
  readonly #write: (background: Background) => Promise<void>;
  readonly #drafts = new Map<string, Draft>();
  #events: RunEvent[] = [];
  #timer: Disposable | undefined;
  #writing: Promise<void> = Promise.resolve();
  #lost = 0;

  constructor(options: {
    readonly clock: Clock;
    readonly log: Log;
    readonly epoch: number;
    readonly write: (background: Background) => Promise<void>;
  }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#epoch = options.epoch;
    this.#write = options.write;
  }

  /** The newest draft of a session replaces the one before. */
  draft(sessionId: string, messageId: string, parts: Json): void {
    this.#drafts.set(sessionId, { messageId, parts });
    this.#schedule();
  }

  events(events: readonly RunEvent[]): void {
    for (const event of events) if (!isTransient(event.type)) this.#events.push(event);
    if (this.#events.length > 0) this.#schedule();
  }

  /** A message that is being stored needs no draft any more. */
  supersede(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind !== 'message' || write.message.role !== 'assistant') continue;
      this.#drafts.delete(write.message.sessionId);
    }
  }

  /** Resolves when everything collected is on disk; rejects with `store` when it cannot be. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#send();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer ??= this.#clock.after(WAIT, () => {
      this.#timer = undefined;
      this.#writing = this.#writing
        .then(() => this.#send())
        .catch((error: unknown) => {
          // They are kept, and go with the next ones.
          this.#log.warn('Drafts and events could not be recorded yet.', {
            reason: failureOf(error).message,
          });
        });
    });
  }

  async #send(): Promise<void> {
    if (this.#drafts.size === 0 && this.#events.length === 0) return;
    const drafts = [...this.#drafts].map(([sessionId, draft]) => ({ sessionId, ...draft }));
    const events = this.#events;
    this.#drafts.clear();
    this.#events = [];
    try {
      await this.#write({ drafts, events, epoch: this.#epoch });
    } catch (error) {
      this.#keep(drafts, events);
      throw error;
    }
  }

  #keep(drafts: Background['drafts'], events: readonly RunEvent[]): void {
    for (const { sessionId, messageId, parts } of drafts) {
      if (!this.#drafts.has(sessionId)) this.#drafts.set(sessionId, { messageId, parts });
    }
    const all = [...events, ...this.#events];
    const excess = Math.max(0, all.length - KEPT_EVENTS);
    this.#events = all.slice(excess);
    if (excess === 0) return;
    this.#lost += excess;
    this.#log.warn('Events of the timeline were dropped: the database refuses them.', {
      dropped: this.#lost,
    });
  }
}

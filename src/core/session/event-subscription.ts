import type { RunEvent } from '../../domain/event.ts';
import { isTransient } from '../../domain/event-catalog.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Log } from '../ports/log.ts';

/** Events a subscriber may fall behind before it loses the oldest ones (B7). */
const BUFFER = 64;

/** The record of events, from which a slow subscriber catches up. */
export interface EventRecords {
  /** Kept events of this process with a larger seq, the first ones, ascending. */
  events(sessionId: string, afterSeq: number, limit: number): Promise<readonly RunEvent[]>;
  /** Resolves when everything published before can be read. */
  flush(): Promise<void>;
}

/** Kept events of a session that were lost, by their seq. */
interface Gap {
  readonly first: number;
  readonly last: number;
}

/**
 * The events that one reader has not taken yet (B7): at most 64. Of more, the oldest are lost; those that are
 * kept in the database are read there before anything newer is given out, so that of each session they arrive
 * complete and in order. What is not kept, text as it arrives above all, stays lost.
 */
export class EventSubscription implements AsyncIterable<RunEvent>, Disposable {
  readonly #records: EventRecords;
  readonly #log: Log;
  readonly #buffer: RunEvent[] = [];
  readonly #closers: (() => void)[] = [];
  #gaps = new Map<string, Gap>();
  #lost = 0;
  #open = true;
  #wake: (() => void) | undefined;
  #stream: AsyncGenerator<RunEvent> | undefined;

  constructor(records: EventRecords, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** Events that were not given out when they happened, whether or not they were read from the record later. */
  get lost(): number {
    return this.#lost;
  }

  add(event: RunEvent): void {
    if (!this.#open) return;
    if (this.#buffer.length >= BUFFER) this.#lose(this.#buffer.shift());
    this.#buffer.push(event);
    this.#wake?.();
  }

  onClose(closer: () => void): void {
    this.#closers.push(closer);
  }

  /** Ends with the signal; at once when it has fired already. */
  endWith(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const end = (): void => this.dispose();
    if (signal.aborted) end();
    else {
      signal.addEventListener('abort', end, { once: true });
      this.onClose(() => signal.removeEventListener('abort', end));
    }
  }

  /** Takes no more events; those that wait are still given out. */
  dispose(): void {
    this.#open = false;
    for (const close of this.#closers.splice(0)) close();
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncGenerator<RunEvent> {
    this.#stream ??= this.#events();
    return this.#stream;
  }

  #lose(event: RunEvent | undefined): void {
    if (event === undefined) return;
    this.#lost += 1;
    // Events of no session are kept nowhere.
    if (isTransient(event.type) || event.sessionId === '') return;
    const first = this.#gaps.get(event.sessionId)?.first ?? event.seq;
    this.#gaps.set(event.sessionId, { first, last: event.seq });
  }

  async *#events(): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        if (this.#gaps.size > 0) yield* this.#kept();
        const event = this.#gaps.size > 0 ? undefined : this.#buffer.shift();
        if (event !== undefined) yield event;
        else if (this.#gaps.size === 0) {
          if (!this.#open) return;
          await this.#more();
        }
      }
    } finally {
      this.dispose();
    }
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  /** The gaps so far, from the record: a page at a time. */
  async *#kept(): AsyncGenerator<RunEvent> {
    const gaps = this.#gaps;
    this.#gaps = new Map();
    for (const [sessionId, { first, last }] of gaps) {
      for (let reached = first - 1; reached < last;) {
        const page = await this.#page(sessionId, reached);
        const missed = page.filter(({ seq }) => seq <= last);
        yield* missed;
        if (missed.length < BUFFER) break;
        reached = missed.at(-1)?.seq ?? last;
      }
    }
  }

  async #page(sessionId: string, after: number): Promise<readonly RunEvent[]> {
    try {
      await this.#records.flush();
      return await this.#records.events(sessionId, after, BUFFER);
    } catch (error) {
      this.#log.warn('A subscriber lost events that could not be read again.', {
        sessionId,
        reason: String(error),
      });
      return [];
    }
  }
}

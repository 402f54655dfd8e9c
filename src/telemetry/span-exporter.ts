import type { Clock } from '../core/ports/clock.ts';
import type { Log } from '../core/ports/log.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { type Mask, traceRequest } from './otlp.ts';
import type { Span } from './span.ts';

/** Spans that wait at most; of more, the oldest are dropped. */
const QUEUE = 2048;
/** Spans of one request. */
const BATCH = 256;
/** Milliseconds until spans that are fewer than a batch go. */
const WAIT = 2000;
/** Milliseconds that a request may take. */
const TIMEOUT = 10_000;
/** Milliseconds before the second, third and last attempt of a batch. */
const RETRIES = [1000, 5000, 30_000];
/** Milliseconds that the end waits for what is left. */
const LAST = 2000;

/** Nobody takes this batch, however often it is sent. */
export class RefusedSpans extends Error {}

export interface SpanExporterParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Sends a body; rejects with `RefusedSpans` where another attempt is of no use. */
  readonly post: (body: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<void>;
  readonly mask: Mask;
  /** Of Belay. */
  readonly version: string;
}

/** Sends spans in batches, one request at a time. Nobody waits for it, and it never throws: what does not go is dropped and counted. */
export class SpanExporter {
  readonly #parts: SpanExporterParts;
  readonly #closing = new AbortController();
  #queue: Span[] = [];
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(parts: SpanExporterParts) {
    this.#parts = parts;
  }

  /** Spans that were never taken. */
  get dropped(): number {
    return this.#dropped;
  }

  add(spans: readonly Span[]): void {
    this.#queue.push(...spans);
    const excess = this.#queue.length - QUEUE;
    if (excess > 0) {
      this.#queue.splice(0, excess);
      this.#drop(excess, 'They come faster than the collector takes them.');
    }
    if (this.#queue.length >= BATCH) this.#send();
    else if (this.#queue.length > 0)
      this.#timer ??= this.#parts.clock.after(WAIT, () => this.#send());
  }

  /** Sends what is left, for a bounded time. */
  async dispose(): Promise<void> {
    this.#timer?.dispose();
    const last = this.#parts.clock.after(LAST, () => this.#closing.abort());
    this.#send();
    await this.#sending;
    last.dispose();
    this.#closing.abort();
  }

  #send(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH);
      try {
        await this.#sendOne(batch);
      } catch (error) {
        this.#drop(batch.length, error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #sendOne(batch: readonly Span[]): Promise<void> {
    const { clock, post, mask, version } = this.#parts;
    const body = await traceRequest(batch, version, mask);
    for (let attempt = 0; ; attempt += 1) {
      const timeout = new AbortController();
      const timer = clock.after(TIMEOUT, () => timeout.abort());
      try {
        await post(body, AbortSignal.any([timeout.signal, this.#closing.signal]));
        return;
      } catch (error) {
        const wait = RETRIES[attempt];
        if (error instanceof RefusedSpans || wait === undefined || this.#closing.signal.aborted)
          throw error;
        await clock.sleep(wait, this.#closing.signal);
      } finally {
        timer.dispose();
      }
    }
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#parts.log.warn('Spans were dropped: they did not reach the collector.', {
      dropped: this.#dropped,
      reason,
    });
  }
}

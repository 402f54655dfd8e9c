import type {
  FetchLike,
  JSONRPCMessage,
  ReconnectionScheduler,
} from '@modelcontextprotocol/client';
import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/client';
import type { Clock } from '../../core/ports/clock.ts';
import { cutJson } from '../../domain/data/json-limits.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { brokenAnswer, largestMessage, tooLargeAnswer } from './message-limit.ts';

/** Times that a broken event stream is opened again before the connection counts as lost. */
export const streamRetries = 3;
/** Milliseconds; the longest wait that a server may ask for before its stream is opened again. */
const longestRetry = 60_000;

export interface HttpGuardOptions {
  readonly clock: Clock;
  /** Hands a message to the SDK as if the server had sent it. */
  readonly deliver: (message: JSONRPCMessage) => void;
  readonly onLost: () => void;
  /** Makes the requests: a `fetch` that follows no redirect and connects to judged addresses only. */
  readonly fetch: FetchLike;
}

/** Bounds what the SDK's HTTP transport reads and parses, and answers for streams that break off. */
export class HttpGuard {
  readonly #options: HttpGuardOptions;
  /** Requests sent and not answered yet. */
  readonly #pending = new Set<number>();
  readonly #timers = new Set<Disposable>();

  constructor(options: HttpGuardOptions) {
    this.#options = options;
  }

  /** To be told of every message that comes in. */
  observe(message: JSONRPCMessage): void {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
    if (typeof message.id === 'number') this.#pending.delete(message.id);
  }

  readonly fetch: FetchLike = async (url, init) => {
    const id = this.#requestOf(init);
    // To another place a redirect would take the headers along, keys and all.
    const response = await this.#options.fetch(url, { ...init, redirect: 'manual' });
    if (!response.ok || response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const body = isStream ? this.#eventStream(response.body, id) : this.#whole(response.body, id);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };

  /** Opens a broken stream again after a wait on our clock; gives up after three failures in a row. */
  readonly reconnect: ReconnectionScheduler = (again, delay, attempt) => {
    if (attempt >= streamRetries) {
      this.#options.onLost();
      return () => {};
    }
    const timer = this.#options.clock.after(Math.min(delay, longestRetry), () => {
      this.#timers.delete(timer);
      again();
    });
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
      timer.dispose();
    };
  };

  dispose(): void {
    for (const timer of this.#timers) timer.dispose();
    this.#timers.clear();
    this.#pending.clear();
  }

  /** The id of the request in a POST, kept until it is answered or given up. */
  #requestOf(init: RequestInit | undefined): number | undefined {
    if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
    const message = JSON.parse(init.body) as {
      id?: unknown;
      method?: unknown;
      params?: { requestId?: unknown };
    };
    if (message.method === 'notifications/cancelled') {
      this.#pending.delete(Number(message.params?.requestId));
      return undefined;
    }
    if (typeof message.id !== 'number' || message.method === undefined) return undefined;
    this.#pending.add(message.id);
    return message.id;
  }

  #whole(body: ReadableStream<Uint8Array>, id: number | undefined): ReadableStream<Uint8Array> {
    let length = 0;
    const chunks: Uint8Array[] = [];
    return watched(body, {
      chunk: (bytes) => {
        length += bytes.length;
        chunks.push(bytes);
        return length <= largestMessage || this.#tooLarge(id);
      },
      take: (isEnd) =>
        isEnd ? Buffer.from(cutJson(Buffer.concat(chunks).toString('utf8'))) : none,
      end: () => {},
    });
  }

  #eventStream(
    body: ReadableStream<Uint8Array>,
    id: number | undefined,
  ): ReadableStream<Uint8Array> {
    const events = new EventMeter();
    let chunks: Uint8Array[] = [];
    let length = 0;
    return watched(body, {
      chunk: (bytes) => {
        events.add(bytes);
        chunks.push(bytes);
        length += bytes.length;
        return events.length <= largestMessage || this.#tooLarge(id);
      },
      take: (isEnd) => {
        const size = isEnd ? length : length - events.length;
        if (size <= 0) return none;
        const whole = Buffer.concat(chunks);
        chunks = [whole.subarray(size)];
        length -= size;
        return cutEvents(whole.subarray(0, size));
      },
      end: () => {
        // With an event id the SDK resumes the stream; without one nobody would answer.
        if (id === undefined || events.resumable) return;
        // Bytes already read are still on their way through the SDK's parser.
        setImmediate(() => this.#replace(id, brokenAnswer(id)));
      },
    });
  }

  #tooLarge(id: number | undefined): false {
    if (id !== undefined) this.#replace(id, tooLargeAnswer(id));
    return false;
  }

  #replace(id: number, message: JSONRPCMessage): void {
    if (this.#pending.delete(id)) this.#options.deliver(message);
  }
}

const none = new Uint8Array();

/** Whole events, those over the limits of JSON cut. */
function cutEvents(bytes: Buffer): Buffer<ArrayBuffer> {
  const text = bytes.toString('utf8');
  const events = text.split(/(?<=\r\n\r\n|\n\n|\r\r)/u).map((event) => {
    const lines = event.split(/\r\n|\r|\n/u);
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
    const json = data.join('\n');
    const cut = cutJson(json);
    if (cut === json) return event;
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    return [...others, ...cut.split('\n').map((line) => `data:${line}`), '', ''].join('\n');
  });
  return Buffer.from(events.join(''));
}

/** Measures the event that is being read, and notes whether the stream can be resumed. */
class EventMeter {
  length = 0;
  resumable = false;
  #end = '\n';

  add(bytes: Uint8Array): void {
    // One byte a character: enough to see line ends and field names.
    const text = this.#end + Buffer.from(bytes).toString('latin1');
    this.resumable ||= /[\r\n]id:/.test(text);
    const ends = ['\n\n', '\r\r', '\r\n\r\n'].map((blank) => {
      const at = text.lastIndexOf(blank);
      return at === -1 ? -1 : at + blank.length;
    });
    const end = Math.max(...ends);
    this.length = end === -1 ? this.length + bytes.length : text.length - end;
    this.#end = text.slice(-4);
  }
}

interface Watcher {
  /** False: stop reading. */
  chunk(bytes: Uint8Array): boolean;
  /**
   * Bytes that can be handed on.
   * @param isEnd the body ended: everything can be
   */
  take(isEnd: boolean): Uint8Array<ArrayBuffer>;
  /** The body ended or broke off. */
  end(): void;
}

function watched(body: ReadableStream<Uint8Array>, watcher: Watcher): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        // A stream that gets nothing does not ask again.
        for (let taken: Uint8Array = none; taken.length === 0;) {
          const { done, value } = await reader.read();
          if (!done && !watcher.chunk(value)) {
            await reader.cancel();
            controller.error(new Error(`more than ${largestMessage / 2 ** 20} MB in one message`));
            return;
          }
          taken = watcher.take(done);
          if (taken.length > 0) controller.enqueue(taken);
          if (!done) continue;
          controller.close();
          watcher.end();
          return;
        }
      } catch (error) {
        controller.error(error);
        watcher.end();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

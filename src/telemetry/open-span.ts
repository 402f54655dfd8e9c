import type { Attributes, Span, SpanEvent } from './span.ts';

/** Events of one span; later ones are left out. */
const MOST_EVENTS = 100;

/** Random digits of an id, hexadecimal. */
function digits(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** A span that has begun. */
export class OpenSpan {
  readonly traceId: string;
  readonly spanId = digits(8);
  readonly #parentSpanId: string | undefined;
  readonly #name: string;
  readonly #kind: Span['kind'];
  readonly #start: number;
  readonly #events: SpanEvent[] = [];
  #attributes: Attributes;
  #error: string | undefined;

  /** @param start milliseconds since the epoch */
  constructor(
    name: string,
    start: number,
    attributes: Attributes,
    parent?: Pick<OpenSpan, 'traceId' | 'spanId'>,
    kind: Span['kind'] = 'internal',
  ) {
    this.traceId = parent?.traceId ?? digits(16);
    this.#parentSpanId = parent?.spanId;
    this.#name = name;
    this.#kind = kind;
    this.#start = start;
    this.#attributes = attributes;
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  note(name: string, at: number, attributes: Attributes): void {
    if (this.#events.length < MOST_EVENTS) this.#events.push({ name, at, attributes });
  }

  /** @param type a word from a short list, `error.type` of the conventions */
  fail(type: string, message: string): void {
    this.set({ 'error.type': type });
    this.#error = message;
  }

  /** @param at milliseconds since the epoch */
  end(at: number): Span {
    return {
      traceId: this.traceId,
      spanId: this.spanId,
      parentSpanId: this.#parentSpanId,
      name: this.#name,
      kind: this.#kind,
      start: this.#start,
      end: Math.max(at, this.#start),
      attributes: this.#attributes,
      events: this.#events,
      error: this.#error,
    };
  }
}

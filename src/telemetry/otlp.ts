import type { Attribute, Attributes, Span } from './span.ts';

/** Characters of a text; the rest is left out. */
const LONGEST = 16_000;

const KINDS = { internal: 1, client: 3 } as const;

/** Takes secrets out of a text. */
export type Mask = (text: string) => Promise<string>;

/** The body of an OTLP request for traces, as JSON. Every text in it is masked, and cut afterwards. */
export async function traceRequest(
  spans: readonly Span[],
  version: string,
  mask: Mask,
): Promise<Uint8Array<ArrayBuffer>> {
  const resource = { 'service.name': 'belay', 'service.version': version };
  const made: unknown[] = [];
  for (const span of spans) made.push(await written(span, mask));
  const body = {
    resourceSpans: [
      {
        resource: { attributes: await attributesOf(resource, mask) },
        scopeSpans: [{ scope: { name: 'belay', version }, spans: made }],
      },
    ],
  };
  return new TextEncoder().encode(JSON.stringify(body));
}

async function written(span: Span, mask: Mask): Promise<unknown> {
  const { traceId, spanId, parentSpanId, name, kind, start, end, error } = span;
  const events: unknown[] = [];
  for (const event of span.events)
    events.push({
      timeUnixNano: nanoseconds(event.at),
      name: event.name,
      attributes: await attributesOf(event.attributes, mask),
    });
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: await safe(name, mask),
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: await attributesOf(span.attributes, mask),
    events,
    status: error === undefined ? {} : { code: 2, message: await safe(error, mask) },
  };
}

/** Milliseconds as nanoseconds, which a number does not hold. */
const nanoseconds = (at: number): string => (BigInt(Math.round(at)) * 1_000_000n).toString();

async function attributesOf(attributes: Attributes, mask: Mask): Promise<unknown[]> {
  const list: unknown[] = [];
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) list.push({ key, value: await valueOf(value, mask) });
  return list;
}

async function valueOf(value: Attribute, mask: Mask): Promise<unknown> {
  switch (typeof value) {
    case 'boolean':
      return { boolValue: value };
    case 'number':
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    case 'string':
      return { stringValue: await safe(value, mask) };
    default: {
      const values: unknown[] = [];
      for (const one of value) values.push({ stringValue: await safe(one, mask) });
      return { arrayValue: { values } };
    }
  }
}

/** A piece of a secret that a cut left would not be known any more: it is masked first. */
async function safe(text: string, mask: Mask): Promise<string> {
  return (await mask(text)).slice(0, LONGEST).toWellFormed();
}

import { isJsonObject } from '../../../domain/data/json.ts';
import type { ModelEvent } from '../../../core/model-call/model-call.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';
import type { Assembler } from './assembler.ts';
import { joined } from '../bytes.ts';
import { ServerSentEvents } from './sse.ts';
import { parsedJson } from '../fields.ts';

/** The reason why the reading of a body ended. */
export type BodyEnd = 'stop' | 'end' | 'html' | 'not an answer' | 'malformed' | 'too much';

/** Bytes of one answer; the longest that models write have a few megabytes, and a server that never ends must not fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** `alive` is told at most this often: a watchdog needs no more, and a byte at a time would drown the rest. */
const ALIVE_EVERY_MS = 10;
/**
 * After the end mark, the rest of the body is read this far and this long, so that the connection can
 * be used again; the answer waits for it only so long, which is enough for an end that was sent along.
 */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1000;
const DRAIN_WAIT_MS = 15;

type Form = 'events' | 'json' | 'html' | 'unknown';

/**
 * Reads the body of an answer into the assembly: a stream of events, or one whole JSON message, which
 * some gateways send although a stream was asked for. Rejects when the connection breaks.
 */
export async function* readBody(
  response: Response,
  assembly: Assembler,
  clock: Clock,
): AsyncGenerator<ModelEvent, BodyEnd> {
  const reader = response.body?.getReader();
  if (reader === undefined) return 'end';
  const events = new ServerSentEvents();
  const whole: Uint8Array[] = [];
  let form = formOf(response.headers.get('content-type'));
  let aliveAt = -Infinity;
  let read = 0;
  let isDrained = false;
  // Bytes that have arrived already are read without waiting for anything.
  const turn = new Turn();
  try {
    for (;;) {
      await turn.pass();
      const { done, value } = await reader.read();
      if (done) {
        isDrained = true;
        if (form === 'html') return 'html';
        return form === 'json' || form === 'unknown' ? yield* readWhole(whole, assembly) : 'end';
      }
      read += value.length;
      if (read > MOST_BYTES) return 'too much';
      if (clock.monotonic() - aliveAt >= ALIVE_EVERY_MS) {
        aliveAt = clock.monotonic();
        yield { type: 'alive' };
      }
      if (form === 'unknown') form = formOfText(value);
      if (form === 'html') return 'html';
      if (form === 'json') {
        whole.push(value);
        continue;
      }
      for (const { data } of events.push(value)) if (!accepted(data, assembly)) return 'malformed';
      yield* assembly.take();
      if (assembly.outcome !== undefined) return 'stop';
    }
  } finally {
    if (!isDrained) await letGo(reader, assembly.outcome?.kind === 'complete', clock);
  }
}

function formOf(contentType: string | null): Form {
  const type = contentType?.toLowerCase() ?? '';
  if (type.includes('event-stream')) return 'events';
  if (type.includes('json')) return 'json';
  return type.includes('html') ? 'html' : 'unknown';
}

/** The form by the first character that is not blank, for servers that name none. */
function formOfText(chunk: Uint8Array): Form {
  const start = new TextDecoder().decode(chunk.subarray(0, 200)).trimStart();
  if (start === '') return 'unknown';
  if (start.startsWith('<')) return 'html';
  return /^[{[]/.test(start) ? 'json' : 'events';
}

/** Hands an event to the assembly; `false`: it is not JSON. */
function accepted(data: string, assembly: Assembler): boolean {
  const text = data.trim();
  if (text === '') return true;
  if (text === '[DONE]') {
    assembly.endMark?.();
    return true;
  }
  const event = parsedJson(text);
  if (event === undefined) return false;
  if (isJsonObject(event)) assembly.accept(event);
  return true;
}

async function* readWhole(
  chunks: readonly Uint8Array[],
  assembly: Assembler,
): AsyncGenerator<ModelEvent, BodyEnd> {
  const text = new TextDecoder().decode(joined(chunks)).trim();
  if (text === '') return 'end';
  const message = parsedJson(text);
  if (message === undefined) return 'malformed';
  // Gemini's chunks come as one list where a proxy has lost the question for events.
  for (const one of Array.isArray(message) ? (message as readonly unknown[]) : [message])
    if (!isJsonObject(one) || !assembly.acceptWhole(one)) return 'not an answer';
  yield* assembly.take();
  return assembly.outcome === undefined ? 'end' : 'stop';
}

/** Reads the few bytes after the end mark, or gives the connection up. Resolves soon; never rejects. */
async function letGo(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  worthDraining: boolean,
  clock: Clock,
): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (!worthDraining) return cancel();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waited = clock.after(DRAIN_WAIT_MS, resolve);
  const deadline = clock.after(DRAIN_MS, cancel);
  const finish = async (): Promise<void> => {
    if (!(await drain(reader))) cancel();
    deadline.dispose();
    waited.dispose();
    resolve();
  };
  void finish();
  await promise;
}

/** True when the body ended, well or badly; false when there is too much left. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    for (let left = DRAIN_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return true;
      left -= value.length;
    }
    return false;
  } catch {
    return true; // The answer is complete: how the connection ends does not matter.
  }
}

import { isJsonObject } from '../../../domain/json.ts';
import type { ModelEvent } from '../../../core/model-call/model-call.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import { Turn } from '../../../domain/steps.ts';
import type { Assembly } from './assemble.ts';
import { joined } from './bytes.ts';
import { ServerSentEvents } from './sse.ts';
import { type WireAnswer, type WireEvent } from './wire-event.ts';

/** The end of reading a body. */
export type BodyEnd = 'stop' | 'end' | 'html' | 'not an answer' | 'malformed';

/** `alive` is told at most this often: a watchdog needs no more, and a byte at a time would drown the rest. */
const ALIVE_EVERY_MS = 10;
/** Read after the end mark, for the connection's sake; the answer waits for an end sent along. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1000;
const DRAIN_WAIT_MS = 15;

type Form = 'events' | 'json' | 'html' | 'unknown';

/** Reads a body into the assembly: events, or one JSON message. Rejects on a break. */
export async function* readBody(
  response: Response,
  assembly: Assembly,
  clock: Clock,
): AsyncGenerator<ModelEvent, BodyEnd> {
  const reader = response.body?.getReader();
  if (reader === undefined) return 'end';
  const events = new ServerSentEvents();
  const whole: Uint8Array[] = [];
  let form = formOf(response.headers.get('content-type'));
  let aliveAt = -Infinity;
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
      for (const { data } of events.push(value)) {
        const event = parsed(data);
        if (event === undefined) return 'malformed';
        assembly.accept(event);
      }
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
  return start.startsWith('{') ? 'json' : 'events';
}

/** An event's data; `undefined` when it is not JSON. `[DONE]` of other wire formats means nothing here. */
function parsed(data: string): WireEvent | undefined {
  if (data.trim() === '' || data.trim() === '[DONE]') return {};
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : {};
  } catch {
    return undefined;
  }
}

async function* readWhole(
  chunks: readonly Uint8Array[],
  assembly: Assembly,
): AsyncGenerator<ModelEvent, BodyEnd> {
  const text = new TextDecoder().decode(joined(chunks)).trim();
  if (text === '') return 'end';
  const message: WireAnswer | undefined = parsed(text);
  if (message === undefined) return 'malformed';
  if (message.type === 'error' || isJsonObject(message.error))
    assembly.accept({ type: 'error', error: message.error ?? {} });
  else if (!Array.isArray(message.content)) return 'not an answer';
  else acceptWhole(message, message.content, assembly);
  yield* assembly.take();
  return 'stop';
}

function acceptWhole(message: WireAnswer, content: readonly unknown[], assembly: Assembly): void {
  assembly.accept({ type: 'message_start', message });
  for (const [index, block] of content.entries()) {
    if (!isJsonObject(block)) continue;
    assembly.accept({ type: 'content_block_start', index, content_block: block });
    assembly.accept({ type: 'content_block_stop', index });
  }
  const { stop_reason: reason, stop_details: details } = message;
  assembly.accept({ type: 'message_delta', delta: { stop_reason: reason, stop_details: details } });
  assembly.accept({ type: 'message_stop' });
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

import type { ServerResponse } from 'node:http';
import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import { named } from './events.ts';
import type { Cut, Turn, WireEvent } from './turn.ts';

/** Writes the events of a turn to the socket, with its chunks, gaps, pings, pauses and cuts. */
export async function writeEvents(
  response: ServerResponse,
  events: readonly WireEvent[],
  turn: Turn,
): Promise<void> {
  if (turn.cut?.at === 'headers') return strike(response, turn.cut);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...turn.headers,
  });
  response.flushHeaders();
  const { cut } = turn;
  const until =
    cut !== undefined && cut.at !== 'headers' && 'events' in cut.at ? cut.at.events : events.length;
  const limit =
    cut !== undefined && cut.at !== 'headers' && 'bytes' in cut.at ? cut.at.bytes : Infinity;
  const encoded = events.slice(0, until).map((event) => Buffer.from(encode(event, turn)));
  const pauseAt = turn.pings?.events ?? turn.rest?.events ?? Infinity;
  const before = encoded.slice(0, pauseAt);
  let left = limit - (await writeAll(response, before, turn, limit));
  await pause(response, turn);
  left -= await writeAll(response, encoded.slice(pauseAt), turn, left);
  if (cut !== undefined) return strike(response, cut);
  turn.onWritten?.();
  response.end();
}

/** What comes between the first events and the rest. */
async function pause(response: ServerResponse, turn: Turn): Promise<void> {
  const { count = 0, everyMs = 0 } = turn.pings ?? {};
  for (let ping = 0; ping < count && !response.destroyed; ping += 1) {
    await wait(everyMs, undefined, { ref: false });
    response.write(encode(named({ type: 'ping' }), turn));
  }
  await turn.rest?.when;
}

/** Writes at most `limit` bytes; gives the number written. */
async function writeAll(
  response: ServerResponse,
  events: readonly Buffer[],
  turn: Turn,
  limit: number,
): Promise<number> {
  const all = Buffer.concat(events);
  const bytes = all.subarray(0, Math.min(all.length, limit));
  const chunks =
    turn.chunkBytes === undefined
      ? turn.gapMs === undefined
        ? [bytes]
        : events
      : slices(bytes, turn.chunkBytes);
  for (const chunk of chunks) {
    if (response.destroyed) break;
    if (turn.gapMs !== undefined) await wait(turn.gapMs, undefined, { ref: false });
    if (!response.write(chunk)) await drained(response);
    else if (turn.chunkBytes !== undefined) await flushed(response);
  }
  return bytes.length;
}

/** Resolves when the socket can take more, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  response.once('close', resolve);
  await promise;
  response.off('drain', resolve);
  response.off('close', resolve);
}

/** Lets the socket send what it has, so that chunks arrive as chunks. */
async function flushed(response: ServerResponse): Promise<void> {
  await breathe();
  if (response.writableLength > 0) await drained(response);
}

/** Ends the connection the way the script asks for. */
async function strike(response: ServerResponse, cut: Cut): Promise<void> {
  // What was written before must reach the other side: a reset throws away what is still in the socket.
  if (cut.how !== 'end') await wait(20, undefined, { ref: false });
  switch (cut.how) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return; // closing the server, or the client, ends it
    case 'end':
      response.end();
      return;
    default:
      cut.how satisfies never;
  }
}

function* slices(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

function encode(event: WireEvent, turn: Turn): string {
  const end = turn.lineEnd ?? '\n';
  const text = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  const lines: string[] = [];
  if (turn.decorated === true) lines.push(': a comment', 'id: 7', 'retry: 3000', 'unknown: field');
  if (event.event !== undefined) lines.push(`event: ${event.event}`);
  const at = turn.decorated === true ? text.indexOf(',') : -1;
  if (at < 0) lines.push(`data: ${text}`);
  else lines.push(`data:${text.slice(0, at + 1)}`, `data: ${text.slice(at + 1)}`);
  return `${lines.join(end)}${end}${end}`;
}

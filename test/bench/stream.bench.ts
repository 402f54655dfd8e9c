// What a long answer costs between the socket and the loop: the whole model call as it is composed, fed
// from memory. CPU per megabyte must stay flat as the answer grows; nothing may be done per delta
// that grows with the answer.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ModelEvent } from '../../src/core/model-call/model-call.ts';
import { eventsOf } from '../support/model-server/events.ts';
import { callContext, composedCall, modelRequest } from '../support/model-call.ts';
import type { Block } from '../support/model-server/turn.ts';

setFlagsFromString('--expose-gc');
/** Frees what is free, so that a measurement begins with a clean heap. */
const collectGarbage = runInNewContext('gc') as () => void;

const MB = 1_000_000;
/** Bytes of one chunk as sockets deliver them. */
const SOCKET_CHUNK = 64 * 1024;

interface Case {
  readonly what: string;
  readonly block: (bytes: number) => Block;
  /** Characters of one delta. */
  readonly deltaSize: number;
  readonly chunk: number;
  /** Megabytes, growing. */
  readonly sizes: readonly number[];
}

const CASES: readonly Case[] = [
  {
    what: 'tool input',
    block: (bytes) => ({
      type: 'tool_use',
      id: 'toolu_1',
      name: 'write_file',
      input: { path: 'a.txt', content: text(bytes) },
    }),
    deltaSize: 64,
    chunk: SOCKET_CHUNK,
    sizes: [2.5, 5, 10],
  },
  {
    what: 'tool input in one delta',
    block: (bytes) => ({
      type: 'tool_use',
      id: 'toolu_1',
      name: 'write_file',
      input: { path: 'a.txt', content: text(bytes) },
    }),
    deltaSize: Infinity,
    chunk: SOCKET_CHUNK,
    sizes: [2.5, 5, 10],
  },
  {
    what: 'answer, a byte at a time',
    block: (bytes) => ({ type: 'text', text: text(bytes) }),
    deltaSize: 4096,
    chunk: 1,
    sizes: [0.5, 1, 2],
  },
];

/** Measures every case and size: CPU seconds, CPU milliseconds per megabyte, and memory over the start. */
export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  await measure({ ...CASES[0]!, sizes: [] }, 1); // loads the SDK and warms up
  const rows: Record<string, string | number>[] = [];
  for (const one of CASES) {
    for (const size of one.sizes) {
      const { cpuMs, peakMb } = await measure(one, size);
      rows.push({
        what: one.what,
        MB: size,
        'CPU s': round(cpuMs / 1000),
        'CPU ms/MB': round(cpuMs / size),
        'peak MB': round(peakMb),
      });
    }
  }
  return rows;
}

async function measure(
  { block, deltaSize, chunk }: Case,
  size: number,
): Promise<{ cpuMs: number; peakMb: number }> {
  const body = bodyOf(block(size * MB), deltaSize);
  const expected = size * MB;
  const { call } = composedCall({
    baseUrl: 'http://127.0.0.1:1',
    fetch: () => Promise.resolve(streamed(body, chunk)),
  });
  collectGarbage();
  const start = process.memoryUsage();
  let peak = 0;
  let count = 0;
  const before = process.cpuUsage();
  let last: ModelEvent | undefined;
  for await (const event of call(modelRequest(), callContext())) {
    last = event;
    count += 1;
    if (count % 200 === 0) peak = Math.max(peak, grown(start));
  }
  const { user, system } = process.cpuUsage(before);
  peak = Math.max(peak, grown(start));
  const arrived = last?.type === 'complete' ? JSON.stringify(last.answer.parts).length : 0;
  if (arrived < expected) throw new Error(`only ${arrived} of ${expected} characters arrived`);
  return { cpuMs: (user + system) / 1000, peakMb: peak / MB };
}

const grown = (start: NodeJS.MemoryUsage): number => {
  const now = process.memoryUsage();
  return now.heapUsed + now.external - start.heapUsed - start.external;
};

function bodyOf(block: Block, deltaSize: number): Uint8Array {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const answer = {
    id: 'msg_1',
    model: 'm',
    content: [block],
    stopReason: block.type === 'text' ? 'end_turn' : 'tool_use',
    usage,
  };
  const size = Number.isFinite(deltaSize) ? deltaSize : Number.MAX_SAFE_INTEGER;
  const events = eventsOf(answer, { deltaSize: size });
  return Buffer.from(
    events
      .map(({ event, data }) => `event: ${event ?? ''}\ndata: ${JSON.stringify(data)}\n\n`)
      .join(''),
  );
}

function streamed(body: Uint8Array, chunk: number): Response {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.subarray(at, at + chunk));
      at += chunk;
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

const text = (bytes: number): string =>
  'The quick brown fox jumps over the lazy dog, line after line.\n'
    .repeat(Math.ceil(bytes / 62))
    .slice(0, bytes);
const round = (value: number): number => Math.round(value * 100) / 100;

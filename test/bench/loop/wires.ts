// The same session over each wire, before servers that do the same work: what a turn costs beside the Messages wire.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { callDelta, chatCalls, chatSay } from '../../support/chat-server/chat-server.ts';
import {
  callItem,
  completed,
  created,
  itemEvents,
  sayItems,
} from '../../support/responses-server/responses-server.ts';
import { startWireServer } from '../../support/wire-server/wire-server.ts';
import type { WireTurn } from '../../support/wire-server/wire-server.ts';
import { headless, runProcess, sampleFiles } from './session.ts';
import type { Plan } from './session.ts';

export type BenchWire = 'messages' | 'chat' | 'responses';

export interface WireMeasured {
  /** Milliseconds between the arrivals of requests. */
  readonly gapsMs: readonly number[];
  /** Cost with the cache of a provider that caches what a request has in common with the one before, to the ideal. */
  readonly costRatio: number;
}

/** What one wire's script needs: how far the session is, and its answers. */
interface Answers {
  readonly path: string;
  readonly list: string;
  readonly isCall: (entry: Readonly<Record<string, unknown>>) => boolean;
  readonly calls: (files: readonly string[], turn: number) => WireTurn;
  readonly words: WireTurn;
}

const DONE = 'Everything was read.';
const argumentsOf = (file: string): string => JSON.stringify({ files: [{ path: file }] });
const isAnswer = ({ role }: Readonly<Record<string, unknown>>): boolean => role === 'assistant';

const WIRES: Readonly<Record<BenchWire, Answers>> = {
  messages: {
    path: '',
    list: 'messages',
    isCall: isAnswer,
    calls: (files, turn) =>
      messagesTurn(
        files.map((file, n) => ({ id: `toolu_${turn}_${n}`, json: argumentsOf(file) })),
        '',
      ),
    words: messagesTurn([], DONE),
  },
  chat: {
    path: '/v1',
    list: 'messages',
    isCall: isAnswer,
    calls: (files, turn) =>
      chatCalls(
        files.map((file, n) => callDelta(n, `call_${turn}_${n}`, 'read_file', argumentsOf(file))),
      ),
    words: chatSay(DONE),
  },
  responses: {
    path: '/v1',
    list: 'input',
    isCall: ({ type, id }) => type === 'function_call' && String(id).endsWith('_0'),
    calls: (files, turn) =>
      responsesTurn(
        files.map((file, n) => callItem(`fc_${turn}_${n}`, `call_${turn}_${n}`, argumentsOf(file))),
      ),
    words: sayItems(DONE),
  },
};

/** An answer of the Responses API with one delta a call, as the other wires have it. */
const responsesTurn = (items: readonly Readonly<Record<string, unknown>>[]): WireTurn => ({
  chunks: [created, ...items.flatMap((item, n) => itemEvents(n, item, 1000)), completed(items)],
});

/** An answer of the Messages API in as few events as the other wires have. */
function messagesTurn(
  calls: readonly { readonly id: string; readonly json: string }[],
  text: string,
): WireTurn {
  const blocks = calls.map(({ id, json }, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name: 'read_file', input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
    { type: 'content_block_stop', index },
  ]);
  const words = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
  ];
  const usage = { input_tokens: 100, output_tokens: 20 };
  return {
    chunks: [
      { type: 'message_start', message: { model: 'm', usage } },
      ...(calls.length === 0 ? words : blocks.flat()),
      {
        type: 'message_delta',
        delta: { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use' },
        usage,
      },
      { type: 'message_stop' },
    ],
  };
}

/** Runs one session over a wire, as a process of its own. */
export async function measureWire(wire: BenchWire, plan: Plan): Promise<WireMeasured> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-bench-'));
  const workspace = await sampleFiles(folder, plan);
  const arrivals: number[] = [];
  const { calls, isCall, list, path: below, words } = WIRES[wire];
  const server = await startWireServer<Readonly<Record<string, unknown>>>({
    script: (request) => {
      arrivals.push(performance.now());
      const entries = request[list] as readonly Readonly<Record<string, unknown>>[];
      const turn = entries.filter(isCall).length;
      if (turn >= plan.turns) return { done: wire === 'chat', ...words };
      const files = Array.from(
        { length: plan.calls },
        (_, index) => `file-${turn * plan.calls + index}.txt`,
      );
      return { done: wire === 'chat', ...calls(files, turn) };
    },
    refuse: () => undefined,
    failed: (error) => ({ status: 500, body: String(error) }),
  });
  try {
    const instance = { wire, baseUrl: server.origin + below, models: ['m'] };
    const { code, stderr } = await runProcess(
      headless(workspace, path.join(folder, 'data'), [
        `--set=model.providers=${JSON.stringify({ bench: instance })}`,
        '--model=bench/m',
      ]),
    );
    if (code !== 0 || arrivals.length !== plan.turns + 1)
      throw new Error(`${wire}: exit ${code} after ${arrivals.length} requests. ${stderr}`);
    return {
      gapsMs: arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at)),
      costRatio: prefixCost(server.requests.map(({ text }) => text)),
    };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Input that was sent before costs a tenth; ideal: all of the request before is the beginning of the next. */
function prefixCost(texts: readonly string[]): number {
  let [cost, ideal, before] = [0, 0, ''];
  for (const text of texts) {
    const common = commonLength(before, text);
    cost += text.length - 0.9 * common;
    ideal += text.length - 0.9 * Math.min(before.length, text.length);
    before = text;
  }
  return cost / ideal;
}

function commonLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { chatRefusal } from './refusals.ts';

/** A message of Chat Completions as the server received it. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

/** A request body as the server received it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly type: string;
    readonly function: { readonly name: string; readonly parameters: unknown };
  }[];
  readonly [field: string]: unknown;
}

/** One answer of the scripted model. */
export interface ChatTurn {
  /** Sent one after the other as data of events; text is sent as it is. */
  readonly chunks?: readonly unknown[];
  /** `[DONE]` at the end; `true` unless said otherwise. */
  readonly done?: boolean;
  /** How the body ends; `end` unless said otherwise. */
  readonly end?: 'end' | 'reset';
  readonly status?: number;
  /** Instead of the events; an object is sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds between two events. */
  readonly gapMs?: number;
}

/** Request number `n` (1 for the first) gets this answer. */
export type ChatScript = (request: ChatRequest, n: number) => ChatTurn;

export interface RecordedChat {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: ChatRequest;
}

export interface ChatServer {
  /** With the path `/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly RecordedChat[];
  use(script: ChatScript): void;
  close(): Promise<void>;
}

export interface ChatServerOptions {
  readonly script: ChatScript;
  readonly apiKey?: string;
  /** False: requests are answered without being checked. */
  readonly strict?: boolean;
  /** Answers by path, to GET and to questions by POST. */
  readonly pages?: Readonly<Record<string, unknown>>;
}

/** Starts a scripted Chat Completions API on loopback, as strict as the strictest of them. */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const requests: RecordedChat[] = [];
  let { script } = options;
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const page = options.pages?.[pathname];
    if (request.method === 'GET' || page !== undefined) {
      return play(response, page === undefined ? { status: 404, body: {} } : { body: page });
    }
    const body = JSON.parse(text) as ChatRequest;
    requests.push({ path: request.url ?? '', headers: request.headers, text, body });
    const key = request.headers.authorization?.replace('Bearer ', '');
    if (options.apiKey !== undefined && key !== options.apiKey)
      return play(
        response,
        refusal(401, 'Incorrect API key provided', { code: 'invalid_api_key' }),
      );
    const problem = options.strict === false ? undefined : chatRefusal(body);
    if (problem !== undefined) return play(response, refusal(400, problem));
    count += 1;
    await play(response, script(body, count));
  };
  const http = createServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else void play(response, refusal(500, `The script failed: ${String(error)}`));
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  http.listen(0, '127.0.0.1', resolve);
  await promise;
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    use: (next) => {
      script = next;
      count = 0;
    },
    close: async () => {
      const closed = Promise.withResolvers<void>();
      http.close(() => closed.resolve());
      http.closeAllConnections();
      await closed.promise;
    },
  };
}

async function play(response: ServerResponse, turn: ChatTurn): Promise<void> {
  const { body, status = 200, headers } = turn;
  if (turn.chunks === undefined) {
    const isText = typeof body === 'string';
    const contentType = turn.contentType ?? (isText ? 'text/plain' : 'application/json');
    response.writeHead(status, { 'content-type': contentType, ...headers });
    response.end(body === undefined || isText ? body : JSON.stringify(body));
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  const end = turn.done === false ? [] : ['[DONE]'];
  for (const chunk of [...turn.chunks, ...end]) {
    if (turn.gapMs !== undefined) await wait(turn.gapMs, undefined, { ref: false });
    response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
  }
  if (turn.end !== 'reset') return void response.end();
  await wait(20);
  response.socket?.resetAndDestroy();
}

/** An error in the API's own form. */
export const refusal = (
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): ChatTurn => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
  headers,
});

/** A chunk with a delta. */
export const chunk = (
  delta: Readonly<Record<string, unknown>>,
  finish: string | null = null,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-x-2026',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

/** The last chunk, as `stream_options.include_usage` asks for it. */
export const usageChunk = (usage: Readonly<Record<string, unknown>>) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-x-2026',
  choices: [],
  usage,
});

const USAGE = usageChunk({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 });

/** Text in pieces, then the end of the turn. */
export const chatSay = (text: string, more: Partial<ChatTurn> = {}): ChatTurn => ({
  chunks: [
    chunk({ role: 'assistant', content: '' }),
    ...(text.match(/.{1,12}/gsu) ?? []).map((content) => chunk({ content })),
    chunk({}, 'stop'),
    USAGE,
  ],
  ...more,
});

/** A piece of a tool call. */
export const callDelta = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  args: unknown,
) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: 'function' }),
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

/** Calls, each in one delta of its own, then `tool_calls`. */
export const chatCalls = (
  deltas: readonly object[],
  finish: string | null = 'tool_calls',
  before: readonly unknown[] = [],
): ChatTurn => ({
  chunks: [
    ...before,
    ...deltas.map((delta) => chunk({ content: null, tool_calls: [delta] })),
    chunk({}, finish),
    USAGE,
  ],
});

import { startWireServer } from '../wire-server/wire-server.ts';
import type {
  WireScript,
  WireServer,
  WireServerOptions,
  WireTurn,
} from '../wire-server/wire-server.ts';
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

/** One answer of the scripted model; `[DONE]` comes at its end unless said otherwise. */
export type ChatTurn = WireTurn;
export type ChatScript = WireScript<ChatRequest>;

export interface ChatServer extends WireServer<ChatRequest> {
  /** With the path `/v1`. */
  readonly url: string;
}

export interface ChatServerOptions extends Pick<WireServerOptions<ChatRequest>, 'pages'> {
  readonly script: ChatScript;
  readonly apiKey?: string;
  /** False: requests are answered without being checked. */
  readonly strict?: boolean;
}

/** Starts a scripted Chat Completions API on loopback, as strict as the strictest of them. */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const { apiKey, pages, strict = true } = options;
  const done =
    (script: ChatScript): ChatScript =>
    (request, n) => ({ done: true, ...script(request, n) });
  const server = await startWireServer<ChatRequest>({
    script: done(options.script),
    pages,
    refuse: ({ headers, body }) => {
      const key = headers.authorization?.replace('Bearer ', '');
      if (apiKey !== undefined && key !== apiKey)
        return refusal(401, 'Incorrect API key provided', { code: 'invalid_api_key' });
      const problem = strict ? chatRefusal(body) : undefined;
      return problem === undefined ? undefined : refusal(400, problem);
    },
    failed: (error) => refusal(500, `The script failed: ${String(error)}`),
  });
  return { ...server, url: `${server.origin}/v1`, use: (script) => server.use(done(script)) };
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

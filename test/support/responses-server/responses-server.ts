import { startWireServer } from '../wire-server/wire-server.ts';
import type {
  WireScript,
  WireServer,
  WireServerOptions,
  WireTurn,
} from '../wire-server/wire-server.ts';
import { responsesRefusal } from './refusals.ts';

/** An item of the input or the output. */
export interface ResponsesItem {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A request body as the server received it. */
export interface ResponsesRequest {
  readonly model: string;
  readonly input: readonly ResponsesItem[];
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

export type ResponsesScript = WireScript<ResponsesRequest>;

export interface ResponsesServer extends WireServer<ResponsesRequest> {
  /** With the path `/v1`. */
  readonly url: string;
}

export interface ResponsesServerOptions extends Pick<WireServerOptions<ResponsesRequest>, 'pages'> {
  readonly script: ResponsesScript;
  /** False: requests are answered without being checked. */
  readonly strict?: boolean;
}

/** Starts a scripted Responses API on loopback that refuses what the real one refuses. */
export async function startResponsesServer(
  options: ResponsesServerOptions,
): Promise<ResponsesServer> {
  const { pages, script, strict = true } = options;
  const server = await startWireServer<ResponsesRequest>({
    script,
    pages,
    refuse: ({ body }) => {
      const problem = strict ? responsesRefusal(body) : undefined;
      return problem === undefined ? undefined : responsesError(400, problem);
    },
    failed: (error) => responsesError(500, `The script failed: ${String(error)}`),
  });
  return { ...server, url: `${server.origin}/v1` };
}

/** An error in the API's own form. */
export const responsesError = (
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): WireTurn => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...more } },
});

export const RESPONSES_MODEL = 'gpt-r-2026';

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

/** The first event. */
export const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: RESPONSES_MODEL, status: 'in_progress', output: [] },
};

/** The last event. */
export const completed = (
  output: readonly unknown[] = [],
  more: Readonly<Record<string, unknown>> = {},
) => ({
  type: 'response.completed',
  response: {
    id: 'resp_1',
    model: RESPONSES_MODEL,
    status: 'completed',
    output,
    usage: USAGE,
    ...more,
  },
});

/** The last event of an answer that was cut. */
export const incomplete = (reason: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ...completed([], { status: 'incomplete', incomplete_details: { reason }, ...more }),
  type: 'response.incomplete',
});

export const reasoningItem = (id: string, thought: string, secret: unknown = `enc-${id}`) => ({
  id,
  type: 'reasoning',
  summary: thought === '' ? [] : [{ type: 'summary_text', text: thought }],
  encrypted_content: secret,
});

export const messageItem = (id: string, text: string) => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  phase: 'final_answer',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});

export const callItem = (id: string, callId: string, args: string) => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name: 'read_file',
  arguments: args,
});

const pieces = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [];

/** The events of one item at a place of the output. `size`: characters of a delta. */
export function itemEvents(
  index: number,
  item: Readonly<Record<string, unknown>>,
  size = 9,
): unknown[] {
  const { id, type } = item;
  const at = { output_index: index, item_id: id };
  const delta = (kind: string, text: string) =>
    pieces(text, size).map((one) => ({ type: `response.${kind}.delta`, ...at, delta: one }));
  const {
    summary,
    content,
    arguments: args,
  } = item as {
    summary?: readonly { text: string }[];
    content?: readonly { text: string }[];
    arguments?: unknown;
  };
  const between =
    type === 'message'
      ? delta('output_text', content?.[0]?.text ?? '')
      : type === 'reasoning'
        ? (summary ?? []).flatMap(({ text }) => [
            { type: 'response.reasoning_summary_part.added', ...at },
            ...delta('reasoning_summary_text', text),
          ])
        : delta('function_call_arguments', typeof args === 'string' ? args : '');
  const begun = { ...item, status: 'in_progress', content: [], summary: [], arguments: '' };
  return [
    { type: 'response.output_item.added', output_index: index, item: begun },
    ...between,
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** A whole answer of these items. */
export const answerOf = (
  items: readonly Readonly<Record<string, unknown>>[],
  more: Partial<WireTurn> = {},
): WireTurn => ({
  chunks: [
    created,
    { type: 'response.in_progress', response: {} },
    ...items.flatMap((item, index) => itemEvents(index, item)),
    completed(items),
  ],
  ...more,
});

export const sayItems = (text: string, more: Partial<WireTurn> = {}): WireTurn =>
  answerOf([messageItem('msg_1', text)], more);

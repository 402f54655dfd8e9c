import type { FailureCode } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';

export interface Refusal {
  /** Absent for an error event within a stream. */
  readonly status?: number;
  /** `error.type` of the API. */
  readonly type?: string;
  /** `error.details` of the API. */
  readonly details?: unknown;
  /** The API's own words; empty when the body was no API error (HTML of a proxy is never shown). */
  readonly text: string;
  readonly headers?: Headers;
  readonly requestId?: string;
}

export interface Destination {
  readonly model: string;
  /** `https://api.anthropic.com` and the like. */
  readonly baseUrl: string;
  /** Tool names in the order in which they were sent. */
  readonly tools: readonly string[];
  /** Milliseconds since the epoch; for dates in `retry-after`. */
  readonly now: number;
}

/** A rule holds for one of its statuses or types, if it names any, and for its words and code, if it names them. */
export interface Rule {
  readonly status?: readonly number[];
  readonly type?: readonly string[];
  readonly errorCode?: string;
  readonly text?: RegExp;
  readonly code: FailureCode;
  readonly say: (at: Destination, refusal: Refusal) => string;
  readonly details?: (
    match: RegExpExecArray | null,
    at: Destination,
    refusal: Refusal,
  ) => JsonObject;
}

export const KEPT = 'Everything so far is kept';
export const server = (at: Destination): string =>
  URL.canParse(at.baseUrl) ? new URL(at.baseUrl).host : at.baseUrl;
const CHOOSE = 'choose another model with “Belay: Choose Model”';

/** Every refusal of the Messages API, most special first; only here its words are read. */
export const RULES: readonly Rule[] = [
  // Refusals that a repaired request can get past.
  {
    text: /prompt is too long|(?:input|prompt) (?:length )?(?:is too long|exceeds)|context (?:window|length).{0,40}exceed|exceeds? the (?:model's )?(?:maximum )?context/i,
    code: 'context_overflow',
    say: (at) =>
      `The conversation is longer than ${at.model} can take. ${KEPT}: shorten it with /compact, or ${CHOOSE}.`,
    details: (_match, _at, { text }) =>
      numbers(/(?<!\d)(\d+) tokens > (\d+)/.exec(text), ['promptTokens', 'limit']),
  },
  {
    text: /input length and `?max_tokens`? exceed context limit: (\d+) \+ (\d+) > (\d+)/i,
    code: 'output_limit',
    say: (at) =>
      `The conversation leaves too little room for an answer of ${at.model}. ${KEPT}: shorten it with /compact, or lower the setting belay.model.maxOutputTokens.`,
    details: (match) => numbers(match, ['promptTokens', 'maxTokens', 'limit']),
  },
  {
    text: /max_tokens: (\d+) > (\d+), which is the maximum/i,
    code: 'output_limit',
    say: (at) =>
      `${at.model} writes fewer tokens in one answer than were asked for. ${KEPT}: lower the setting belay.model.maxOutputTokens.`,
    details: (match) => numbers(match, ['maxTokens', 'outputLimit']),
  },
  {
    status: [413],
    type: ['request_too_large'],
    code: 'request_too_large',
    say: (at) =>
      `${server(at)} says that the request is too large (HTTP 413). A proxy or a gateway on the way may have a limit of its own, in bytes, which has nothing to do with the model's context window. ${KEPT}: raise that limit, send smaller images, or shorten the conversation with /compact.`,
  },
  {
    text: /`signature`|thinking.{0,60}cannot be modified|bound to a different conversation|Expected `thinking`|thinking blocks?.{0,40}(?:invalid|account)|thinking\.signature/i,
    code: 'history_rejected',
    say: () =>
      `The provider no longer accepts the thinking in this conversation. ${KEPT}: send a message to go on without it.`,
    details: () => ({ problem: 'thinking' }),
  },
  {
    text: /`?tool_use`? ids were found without|unexpected `?tool_use_id`?|`?tool_use`? ids must be unique|each tool_use must have a single result|tool_result.{0,60}corresponding/i,
    code: 'history_rejected',
    say: () =>
      `The provider refuses the tool calls in this conversation. ${KEPT}: send a message to go on.`,
    details: () => ({ problem: 'pairs' }),
  },
  {
    text: /text content blocks must|non-empty content|roles must alternate|first message must use the "user" role|assistant message prefill/i,
    code: 'history_rejected',
    say: () =>
      `The provider refuses the form of this conversation. ${KEPT}: send a message to go on.`,
    details: () => ({ problem: 'form' }),
  },
  {
    errorCode: 'image_dimensions_too_large',
    code: 'image_rejected',
    say: () => `An image has more pixels than the provider takes. ${KEPT}: send it smaller.`,
    details: (_match, _at, { details }) => ({
      problem: 'dimensions',
      maxSide: fieldOf(details, 'max_side_length_pixels') ?? 2000,
    }),
  },
  {
    text: /image dimensions exceed.{0,80}?(\d+) pixels|image dimensions exceed/i,
    code: 'image_rejected',
    say: () => `An image has more pixels than the provider takes. ${KEPT}: send it smaller.`,
    details: (match) => ({ problem: 'dimensions', maxSide: Number(match?.[1] ?? 2000) }),
  },
  {
    text: /image exceeds .{0,20}maximum: \d+ bytes > (\d+) bytes/i,
    code: 'image_rejected',
    say: () => `An image is larger than the provider takes. ${KEPT}: send it smaller.`,
    details: (match) => ({ problem: 'bytes', maxBytes: Number(match?.[1]) }),
  },
  {
    text: /could not process (?:image|pdf)|(?:image|pdf|document).{0,60}(?:unsupported|invalid|not valid|not supported)|does not support (?:image|pdf)|unable to download|media type.{0,60}appears to be|pdf pages|only https/i,
    code: 'image_rejected',
    say: () =>
      `The provider cannot read an image or a PDF of this conversation. ${KEPT}: send it in another form, as PNG or JPEG.`,
    details: () => ({ problem: 'unreadable' }),
  },
  {
    text: /tools\.(\d+)\.(?:custom\.)?(?:input_schema|name)/i,
    code: 'tool_schema_rejected',
    say: (at, { text }) =>
      `The provider refuses the tool “${toolAt(/tools\.(\d+)/.exec(text), at) ?? '?'}”. ${KEPT}: switch it off in the setting belay.tools.disabled, or tell the author of its MCP server.`,
    details: (match, at) => {
      const tool = toolAt(match, at);
      return tool === undefined ? {} : { tool };
    },
  },
  {
    text: /tool names must be unique/i,
    code: 'tool_schema_rejected',
    say: () =>
      `Two tools have the same name. ${KEPT}: switch one off in the setting belay.tools.disabled.`,
  },
  {
    text: /tool_choice/i,
    status: [400],
    code: 'tool_schema_rejected',
    say: (at) =>
      `${at.model} cannot be made to use a certain tool. ${KEPT}: send a message to go on.`,
    details: () => ({ problem: 'tool_choice' }),
  },
  // Refusals that only the person can get past.
  {
    text: /credit balance|spend(?:ing)? limit|billing/i,
    status: [400, 402, 403],
    code: 'billing',
    say: (at) => unbilled(at),
  },
  { status: [402], type: ['billing_error'], code: 'billing', say: (at) => unbilled(at) },
  {
    status: [401],
    type: ['authentication_error'],
    code: 'auth',
    say: (at) =>
      `${server(at)} does not accept the API key. ${KEPT}: set a valid key with “Belay: Set API Key”, then send again.`,
  },
  {
    status: [407],
    code: 'config',
    say: () =>
      `The network's proxy wants a login. ${KEPT}: check the settings http.proxy and http.proxyAuthorization, then send again.`,
  },
  {
    status: [403],
    type: ['permission_error'],
    code: 'permission',
    say: (at, refusal) => forbidden(at, refusal),
  },
  {
    status: [404],
    text: /model/i,
    code: 'model_not_found',
    say: (at) => `${server(at)} has no model named ${at.model}. ${KEPT}: ${CHOOSE}.`,
  },
  {
    status: [404, 405],
    code: 'config',
    say: (at) =>
      `There is no Messages API at ${at.baseUrl}. ${KEPT}: check the setting belay.model.baseUrl.`,
  },
  // Refusals that pass with time.
  {
    status: [529, 503],
    type: ['overloaded_error'],
    code: 'overloaded',
    say: (at) => `${at.model} is overloaded. ${KEPT}: send again later, or ${CHOOSE}.`,
  },
  {
    status: [429],
    type: ['rate_limit_error'],
    code: 'rate_limited',
    say: (at) =>
      `The limit of requests or tokens for ${at.model} is reached. ${KEPT}: send again later, or ${CHOOSE}.`,
  },
  {
    status: [408, 504, 524],
    type: ['timeout_error'],
    code: 'timeout',
    say: (at) => `${server(at)} took too long to answer. ${KEPT}: send again.`,
  },
  {
    status: [409, 425],
    code: 'overloaded',
    say: (at) => `${server(at)} was busy with a conflicting request. ${KEPT}: send again.`,
  },
  {
    type: ['api_error'],
    code: 'overloaded',
    say: (at) => `${server(at)} failed with an error of its own. ${KEPT}: send again.`,
  },
];

const unbilled = (at: Destination): string =>
  `${server(at)} refuses to bill this account. ${KEPT}: ${billingPage(at)}, then send again.`;

function forbidden(at: Destination, { headers, text }: Refusal): string {
  const workspace = headers?.get('anthropic-workspace-id');
  const where =
    workspace === null || workspace === undefined ? '' : ` in the workspace ${workspace}`;
  return `The API key may not use ${at.model}${where} at ${server(at)}${text === '' ? '' : ` (${text.slice(0, 300)})`}. ${KEPT}: ${CHOOSE}, or set another key with “Belay: Set API Key”.`;
}

const billingPage = (at: Destination): string =>
  server(at).endsWith('anthropic.com')
    ? 'check plan and credit at https://platform.claude.com/settings/billing'
    : `check plan and credit with the operator of ${server(at)}`;

const toolAt = (match: RegExpExecArray | null, at: Destination): string | undefined =>
  at.tools[Number(match?.[1])];

function numbers(match: RegExpExecArray | null, names: readonly string[]): JsonObject {
  if (match === null) return {};
  return Object.fromEntries(names.map((name, index) => [name, Number(match[index + 1])]));
}

/** A field of the API's error details; `undefined` when it is no plain value. */
export function fieldOf(details: unknown, name: string): string | number | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const value = (details as Record<string, unknown>)[name];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

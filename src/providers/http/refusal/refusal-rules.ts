import type { JsonObject } from '../../../domain/data/json.ts';
import { type Told, told } from '../../../domain/text/told.ts';
import { hostOf } from '../address.ts';
import type { ConnectionError } from '../client.ts';
import { IMAGE_RULES } from '../request/image-rules.ts';
import { isOverflow, isTooLargeForRate, readTokenCounts } from './overflow.ts';
import { UNSIGNED } from './unserved-address.ts';
import type { Destination, Refusal, Rule } from './refusal.ts';

export const server = ({ name, baseUrl }: Destination): string =>
  name === undefined || name === hostOf(baseUrl) ? hostOf(baseUrl) : `${name} (${hostOf(baseUrl)})`;

/** Codes of an account that has nothing left; they come with 429, too, and waiting does not help. */
const QUOTA_CODES = ['insufficient_quota', 'credit_balance_exhausted', 'billing_error'];

const tooLittleRoom: Rule['say'] = (at) =>
  told`The conversation leaves too little room for an answer of ${at.model}. Everything so far is kept: shorten it with /compact, or lower the setting belay.model.maxOutputTokens.`;
const tooLongAnswer: Rule['say'] = (at) =>
  told`${at.model} writes fewer tokens in one answer than were asked for. Everything so far is kept: lower the setting belay.model.maxOutputTokens.`;
const tooLong: Rule['say'] = (at) =>
  told`The conversation is longer than ${at.model} can take. Everything so far is kept: shorten it with /compact, or choose another model with “Belay: Choose Model”.`;

/** Asked before the rules of any wire: the status and the codes of these say that a wait helps, and none does. */
export const TOO_LARGE_FOR_RATE: Rule = {
  test: isTooLargeForRate,
  code: 'context_overflow',
  say: tooLong,
  details: (_match, _at, { text }) => readTokenCounts(text),
};

/**
 * Refusals that all wires share, most special first; a wire's own come before them. Words decide what
 * can be repaired, because the types of APIs are too coarse.
 */
export const RULES: readonly Rule[] = [
  // A repaired request can get past these.
  {
    text: /input length and `?max_tokens`? exceed context limit: (\d+) \+ (\d+) > (\d+)/i,
    code: 'output_limit',
    say: tooLittleRoom,
    details: (match) => numbers(match, ['promptTokens', 'maxTokens', 'limit']),
  },
  {
    text: /maximum context length (?:is|of) (\d+) tokens.{0,200}?(\d+) (?:in the messages|of text input|tokens from the input)[^)]{0,80}?(\d+) (?:in the (?:completion|output)|tokens for the completion)/i,
    code: 'output_limit',
    say: tooLittleRoom,
    details: (match) => numbers(match, ['limit', 'promptTokens', 'maxTokens']),
  },
  {
    text: /`inputs` tokens \+ `max_new_tokens` must be <= (\d+)\. Given: (\d+) `inputs` tokens and (\d+) `max_new_tokens`/i,
    code: 'output_limit',
    say: tooLittleRoom,
    details: (match) => numbers(match, ['limit', 'promptTokens', 'maxTokens']),
  },
  {
    text: /is too large: (\d+)\..{0,80}maximum context length is (\d+) tokens.{0,40}has (\d+) input tokens/i,
    code: 'output_limit',
    say: tooLittleRoom,
    details: (match) => numbers(match, ['maxTokens', 'limit', 'promptTokens']),
  },
  {
    text: /max_tokens: (\d+) > (\d+), which is the maximum/i,
    code: 'output_limit',
    say: tooLongAnswer,
    details: (match) => numbers(match, ['maxTokens', 'outputLimit']),
  },
  {
    text: /(?:max_(?:completion_|output_)?tokens).{0,80}(?:at most|less than or equal to|\[1, ?) ?`?(\d+)/i,
    code: 'output_limit',
    say: tooLongAnswer,
    details: (match) => numbers(match, ['outputLimit']),
  },
  {
    test: isOverflow,
    code: 'context_overflow',
    say: tooLong,
    details: (_match, _at, { text }) => readTokenCounts(text),
  },
  ...IMAGE_RULES,
  {
    status: [413],
    type: ['request_too_large'],
    code: 'request_too_large',
    say: (at) =>
      told`${server(at)} says that the request is too large (HTTP 413). A proxy or a gateway on the way may have a limit of its own, in bytes, which has nothing to do with the model's context window. Everything so far is kept: raise that limit, send smaller images, or shorten the conversation with /compact.`,
  },
  {
    text: /could not process (?:image|pdf)|(?:image|pdf|document).{0,60}(?:unsupported|invalid|not valid|not supported)|does not support (?:image|pdf)|unable to download|media type.{0,60}appears to be|pdf pages|only https/i,
    code: 'image_rejected',
    say: () =>
      told`The provider cannot read an image or a PDF of this conversation. Everything so far is kept: send it in another form, as PNG or JPEG.`,
    details: () => ({ problem: 'unreadable' }),
  },
  {
    text: /tools?[.[](\d+)\]?\.(?:custom\.)?(?:input_schema|name|function)/i,
    code: 'tool_schema_rejected',
    say: (at, { text }) =>
      told`The provider refuses the tool “${toolAt(/tools?[.[](\d+)/.exec(text), at) ?? '?'}”. Everything so far is kept: switch it off in the setting belay.tools.disabled, or tell the author of its MCP server.`,
    details: (match, at) => {
      const tool = toolAt(match, at);
      return tool === undefined ? {} : { tool };
    },
  },
  {
    text: /tool names must be unique/i,
    code: 'tool_schema_rejected',
    say: () =>
      told`Two tools have the same name. Everything so far is kept: switch one off in the setting belay.tools.disabled.`,
  },
  {
    text: /tool_choice/i,
    status: [400],
    code: 'tool_schema_rejected',
    say: (at) =>
      told`${at.model} cannot be made to use a certain tool. Everything so far is kept: send a message to go on.`,
    details: () => ({ problem: 'tool_choice' }),
  },
  // Only the person can get past these.
  { codes: QUOTA_CODES, code: 'billing', say: (at) => unbilled(at) },
  {
    text: /credit balance|insufficient (?:balance|credit|funds)|spend(?:ing)? limit|billing/i,
    status: [400, 402, 403],
    code: 'billing',
    say: (at) => unbilled(at),
  },
  { status: [402], code: 'billing', say: (at) => unbilled(at) },
  {
    text: /sigv4|aws4-hmac|missing authentication token|security token included in the request/i,
    status: [400, 401, 403],
    code: 'auth',
    say: (at) =>
      told`${server(at)} wants a signed request or another kind of key. Everything so far is kept: ${UNSIGNED}.`,
  },
  {
    status: [401],
    type: ['authentication_error'],
    code: 'auth',
    say: (at) =>
      told`${server(at)} does not accept the API key. Everything so far is kept: set a valid key with “Belay: Set API Key”, then send again.`,
  },
  {
    status: [407],
    code: 'config',
    say: () => proxyLogin(),
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
    say: (at) => unknownModel(at),
  },
  {
    codes: ['model_not_found', 'model_not_supported'],
    code: 'model_not_found',
    say: (at) => unknownModel(at),
  },
  {
    status: [404, 405],
    code: 'config',
    say: (at) =>
      told`There is no ${at.api} at ${at.baseUrl}. Everything so far is kept: check the setting ${at.setting}.`,
  },
  // These pass by themselves.
  {
    status: [529, 503],
    type: ['overloaded_error'],
    code: 'overloaded',
    say: (at) =>
      told`${at.model} is overloaded. Everything so far is kept: send again later, or choose another model with “Belay: Choose Model”.`,
  },
  {
    status: [429],
    type: ['rate_limit_error'],
    code: 'rate_limited',
    say: (at) =>
      told`The limit of requests or tokens for ${at.model} is reached. Everything so far is kept: send again later, or choose another model with “Belay: Choose Model”.`,
  },
  {
    status: [408, 504, 524],
    type: ['timeout_error'],
    code: 'timeout',
    say: (at) =>
      told`${server(at)} took too long to answer. Everything so far is kept: send again.`,
  },
  {
    status: [409, 425],
    code: 'overloaded',
    say: (at) =>
      told`${server(at)} was busy with a conflicting request. Everything so far is kept: send again.`,
  },
  {
    type: ['api_error'],
    code: 'overloaded',
    say: (at) =>
      told`${server(at)} failed with an error of its own. Everything so far is kept: send again.`,
  },
];

/** @param proxy that asks for the login, where it is known */
export const proxyLogin = (proxy?: ConnectionError['proxy']): Told =>
  proxy !== undefined && proxy.name !== 'http.proxy'
    ? told`The proxy ${proxy.shown} requires a login. Everything so far is kept: put the user name and password into ${proxy.name} (http://USER:PASSWORD@HOST:PORT), then send again.`
    : told`The network's proxy wants a login. Everything so far is kept: check the settings http.proxy and http.proxyAuthorization, then send again.`;

const unknownModel = (at: Destination): Told =>
  told`${server(at)} has no model named ${at.model}. Everything so far is kept: choose another model with “Belay: Choose Model”.`;

const unbilled = (at: Destination): Told =>
  told`${server(at)} refuses to bill this account. Everything so far is kept: ${billingPage(at)}, then send again.`;

function forbidden(at: Destination, { headers, text }: Refusal): Told {
  const workspace = [...(headers ?? [])].find(([name]) => name.endsWith('-workspace-id'))?.[1];
  const where = workspace === undefined ? '' : told` in the workspace ${workspace}`;
  return told`The API key may not use ${at.model}${where} at ${server(at)}${text === '' ? '' : ` (${text.slice(0, 300)})`}. Everything so far is kept: choose another model with “Belay: Choose Model”, or set another key with “Belay: Set API Key”.`;
}

const billingPage = (at: Destination): Told =>
  at.billingPage === undefined
    ? told`check plan and credit with the operator of ${server(at)}`
    : told`check plan and credit at ${at.billingPage}`;

const toolAt = (match: RegExpExecArray | null, at: Destination): string | undefined =>
  at.tools[Number(match?.[1])];

function numbers(match: RegExpExecArray | null, names: readonly string[]): JsonObject {
  if (match === null) return {};
  return Object.fromEntries(names.map((name, index) => [name, Number(match[index + 1])]));
}

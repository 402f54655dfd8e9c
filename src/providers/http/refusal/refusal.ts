import type { Told } from '../../../domain/text/told.ts';
import type { FailureCode } from '../../../domain/failure.ts';
import { type JsonObject, isJsonObject } from '../../../domain/data/json.ts';
import { parsedJson, textOr } from '../fields.ts';

/** A refused request, as far as it is known. */
export interface Refusal {
  /** Absent for an error event within a stream that names none. */
  readonly status?: number;
  /** The API's own class of the error: its `type`. */
  readonly type?: string;
  /** The API's own `code`. */
  readonly code?: string;
  /** The field of the request that is refused. */
  readonly param?: string;
  /** `error.details` of the API. */
  readonly details?: unknown;
  /** The model's text, where the server refuses that: Groq's `failed_generation`. */
  readonly generation?: string;
  /** The API's own words; empty when the body was no API error (HTML of a proxy is never shown). */
  readonly text: string;
  readonly headers?: Headers;
  readonly requestId?: string;
}

/** Where the request went; for sentences. */
export interface Destination {
  readonly model: string;
  /** `https://api.anthropic.com` and the like. */
  readonly baseUrl: string;
  /** Tool names in the order in which they were sent. */
  readonly tools: readonly string[];
  /** Milliseconds since the epoch; for dates in `retry-after`. */
  readonly now: number;
  /** `Messages API` and the like. */
  readonly api: string;
  /** Of the provider, where a person has set up more than one; absent: its host says enough. */
  readonly name?: string | undefined;
  /** The setting that holds the address. */
  readonly setting: string;
  /** A page of the provider where a person sees to billing, where one is known. */
  readonly billingPage?: string | undefined;
}

/** A rule holds for one of its statuses or types, if it names any, and for its words, code and test, if it names them. */
export interface Rule {
  readonly status?: readonly number[];
  readonly type?: readonly string[];
  /** The API's own `code` or `type`, or `error_code` of its details; decides whatever the status is. */
  readonly codes?: readonly string[];
  readonly text?: RegExp;
  /** Decides by several facts of a refusal; unlike `text`, it is also asked about failures that may pass. */
  readonly test?: (refusal: Refusal) => boolean;
  readonly code: FailureCode;
  readonly say: (at: Destination, refusal: Refusal) => string | Told;
  readonly details?: (
    match: RegExpExecArray | null,
    at: Destination,
    refusal: Refusal,
  ) => JsonObject;
}

/** How deep an error may be wrapped in others. */
const MAX_DEPTH = 12;

/** Returns whether the same request may succeed later: a rate limit, an overload, an error of the server. */
export const isPassing = ({ status, type, text }: Refusal): boolean =>
  (status === undefined
    ? ['overloaded_error', 'api_error', 'timeout_error', 'rate_limit_error'].includes(type ?? '')
    : status === 429 || status >= 500) || /\brate[ _-]?limit|too many requests/i.test(text);

/** Reads an error in whatever form a server has: the reason is the text under one of the usual names, at any depth. */
export function refusalFrom(
  body: unknown,
  outer: { readonly status?: number; readonly headers?: Headers } = {},
): Refusal {
  const found = errorIn(body, MAX_DEPTH);
  const { status: inner, ...rest } =
    found.text === '' ? { ...found, text: findSentence(body) } : found;
  const status = outer.status ?? inner;
  const headers = outer.headers;
  const requestId =
    headers?.get('request-id') ??
    headers?.get('x-request-id') ??
    (isJsonObject(body) ? textOr(body['request_id']) : '');
  return {
    ...rest,
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(requestId === '' ? {} : { requestId }),
  };
}

type Found = Omit<Refusal, 'headers' | 'requestId'>;

/** Names of the reason, in small letters without underscores, the most telling first. */
const REASONS =
  'message msg detail errordescription errormessage statusmsg faultstring details description reason title'.split(
    ' ',
  );
/** Names of what an error is wrapped in. OpenRouter has the cause in `metadata.raw`. */
const WRAPPERS = /^(?:errors?|fault|base_?resp|metadata|raw|message|detail)$/iu;

function errorIn(body: unknown, depth: number): Found {
  if (typeof body === 'string') {
    const inner = /^\s*[[{]/u.test(body) && depth > 0 ? parsedJson(body) : undefined;
    return inner === undefined ? { text: body } : errorIn(inner, depth - 1);
  }
  if (depth === 0) return { text: '' };
  if (Array.isArray(body)) return errorIn(body[0], depth - 1);
  if (!isJsonObject(body)) return { text: '' };
  if (Array.isArray(body['loc'])) return readComplaint(body, body['loc']);
  const entries = Object.entries(body).filter(([, value]) => value !== '' && value !== null);
  const named = new Map(
    entries.map(([name, value]) => [name.toLowerCase().replaceAll('_', ''), value]),
  );
  const reason = REASONS.map((name) => named.get(name)).find((value) => typeof value === 'string');
  const inner = entries
    .filter(([name, value]) => WRAPPERS.test(name) && value !== reason)
    .map(([, value]) => errorIn(value, depth - 1));
  const own = reason === undefined ? { text: '' } : errorIn(reason, depth - 1);
  const texts = new Set([own, ...inner].map(({ text }) => text).filter((text) => text !== ''));
  return Object.assign(readFields(body), own, ...inner.toReversed(), {
    text: [...texts].join(': '),
  }) as Found;
}

/** Reads one of FastAPI's complaints: where, and why. */
function readComplaint(complaint: JsonObject, loc: readonly unknown[]): Found {
  const param = loc.filter((one) => one !== 'body').join('.');
  return {
    text: `${param}: ${textOr(complaint['msg'])}`,
    type: textOr(complaint['type']),
    ...(param === '' ? {} : { param }),
  };
}

/** Finds the first text with a blank in it, at any depth: the reason of an error whose form is not known. */
function findSentence(value: unknown, depth = MAX_DEPTH): string {
  if (typeof value === 'string') return value.includes(' ') ? value : '';
  if (typeof value !== 'object' || value === null || depth === 0) return '';
  for (const one of Object.values(value)) {
    const sentence = findSentence(one, depth - 1);
    if (sentence !== '') return sentence;
  }
  return '';
}

function readFields(error: JsonObject): Omit<Found, 'text'> {
  const { type, code, param, details, failed_generation: generation } = error;
  const given = Number(code ?? error['status']);
  return {
    ...field('type', type),
    ...field('code', typeof code === 'number' ? undefined : code),
    ...field('param', param),
    ...field('generation', generation),
    ...(details === undefined ? {} : { details }),
    ...(given >= 400 && given < 600 ? { status: given } : {}),
  };
}

const field = (name: string, value: unknown): Record<string, string> =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {};

/** A field of the API's error details; `undefined` when it is no plain value. */
export function fieldOf(details: unknown, name: string): string | number | undefined {
  if (!isJsonObject(details)) return undefined;
  const value = details[name];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

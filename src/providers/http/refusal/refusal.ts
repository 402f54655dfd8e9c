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

/** A rule holds for one of its statuses or types, if it names any, and for its words and code, if it names them. */
export interface Rule {
  readonly status?: readonly number[];
  readonly type?: readonly string[];
  /** The API's own `code` or `type`, or `error_code` of its details; decides whatever the status is. */
  readonly codes?: readonly string[];
  readonly text?: RegExp;
  readonly code: FailureCode;
  readonly say: (at: Destination, refusal: Refusal) => string | Told;
  readonly details?: (
    match: RegExpExecArray | null,
    at: Destination,
    refusal: Refusal,
  ) => JsonObject;
}

/** How deep an error may be wrapped in others. */
const DEEPEST = 4;

/**
 * Reads an error in all forms that servers have: `{error:{…}}`, in a list (Gemini), flat (Mistral),
 * a text, FastAPI's `detail`, and the cause as JSON within `metadata.raw` (OpenRouter).
 */
export function refusalFrom(
  body: unknown,
  outer: { readonly status?: number; readonly headers?: Headers } = {},
): Refusal {
  const found = errorIn(body, DEEPEST);
  const { status: inner, ...rest } = found;
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

function errorIn(body: unknown, depth: number): Found {
  if (typeof body === 'string') return { text: body };
  const [first] = Array.isArray(body) ? (body as readonly unknown[]) : [body];
  if (!isJsonObject(first) || depth === 0) return { text: '' };
  const { error, detail } = first;
  if (isJsonObject(error) || Array.isArray(error)) return errorIn(error, depth - 1);
  if (typeof error === 'string') return { ...own(first), text: error };
  if (Array.isArray(detail)) return fromDetail(detail);
  if (typeof detail === 'string') return { text: detail };
  return own(first, depth);
}

/** One of FastAPI's complaints: where, and why. */
function fromDetail(detail: readonly unknown[]): Found {
  const [first] = detail;
  if (!isJsonObject(first)) return { text: '' };
  const place = Array.isArray(first['loc']) ? first['loc'].filter((one) => one !== 'body') : [];
  const param = place.map(String).join('.');
  return {
    text: `${param}: ${textOr(first['msg'])}`,
    type: textOr(first['type']),
    ...(param === '' ? {} : { param }),
  };
}

function own(error: Record<string, unknown>, depth = 0): Found {
  const { message, type, code, param, details, metadata, failed_generation: generation } = error;
  const cause = isJsonObject(metadata) ? textOr(metadata['raw']) : '';
  const inner = cause === '' ? { text: '' } : errorIn(parsedJson(cause) ?? cause, depth - 1);
  const text = [textOr(message), inner.text].filter((one) => one !== '').join(': ');
  const given = Number(code ?? error['status']);
  return {
    ...inner,
    text,
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

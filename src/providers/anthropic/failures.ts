import { isJsonObject } from '../../domain/json.ts';
import { type Failure, BelayError } from '../../domain/failure.ts';
import type { Assembly } from './wire/assemble.ts';
import { failureFrom } from './errors.ts';
import type { Destination } from './refusal-rules.ts';
import type { BodyEnd } from './wire/stream.ts';
import { textOr } from './wire/wire-event.ts';

const KEPT = 'Everything so far is kept';

/** No key is set and the public API wants one. */
export function noKey(): Failure {
  return {
    code: 'auth',
    message: `There is no API key yet. ${KEPT}: set one with “Belay: Set API Key”, or choose the model “demo”, which needs none.`,
  };
}

/** The key of an address is gone; nothing was sent. */
export function lostKey(address: string): Failure {
  const host = URL.canParse(address) ? new URL(address).host : address;
  return {
    code: 'auth',
    message: `The API key for ${host} is gone, and nothing was sent there without it. ${KEPT}: set it again with “Belay: Set API Key”, or choose “Use Without a Key” above.`,
  };
}

export function failureOfEnd(
  end: BodyEnd,
  assembly: Assembly,
  at: Destination,
  requestId: string | undefined,
): Failure {
  const identified = requestId === undefined ? {} : { requestId };
  const suffix = requestId === undefined ? '' : ` (Request ${requestId})`;
  const outcome = assembly.outcome;
  if (outcome?.kind === 'error') {
    const { type, message, details } = outcome.error;
    return failureFrom({ type: textOr(type), text: textOr(message), details, ...identified }, at);
  }
  if (outcome?.kind === 'refused') {
    const { category, explanation } = outcome;
    const reason = explanation === undefined ? '' : ` It says: ${explanation}`;
    return {
      code: 'refusal',
      message: `${at.model} declined to answer${category === undefined ? '' : ` (${category})`}.${reason} The conversation is kept: change your message, or choose another model with “Belay: Choose Model”.${suffix}`,
      ...identified,
      details: {
        ...(category === undefined ? {} : { category }),
        ...(explanation === undefined ? {} : { explanation }),
      },
    };
  }
  if (outcome?.kind === 'empty') {
    return {
      code: 'empty_response',
      message: `${at.model} gave an empty answer. ${KEPT}: send a message to go on.${suffix}`,
      ...identified,
    };
  }
  if (end === 'html' || end === 'not an answer') {
    return {
      code: 'bad_response',
      message: `A ${end === 'html' ? 'web page' : 'strange answer'} came from ${at.baseUrl} instead of the model: a proxy or a login page is in the way. ${KEPT}: log in to your network, or check the setting belay.model.baseUrl, then send again.`,
      ...identified,
    };
  }
  return {
    code: 'stream_broken',
    message: `The answer of ${at.model} broke off${outcome?.kind === 'broken' ? ` (${outcome.why})` : ''}. ${KEPT}; nothing unfinished was run: send a message to go on.${suffix}`,
    ...identified,
  };
}

interface Circumstances {
  readonly at: Destination;
  readonly signal: AbortSignal;
  /** The headers had arrived. */
  readonly inBody: boolean;
}

export function failureOfThrown(thrown: unknown, { at, signal, inBody }: Circumstances): Failure {
  if (signal.aborted) return { code: 'canceled', message: 'Canceled.' };
  const own = causes(thrown).find((cause) => cause instanceof BelayError);
  if (own !== undefined) return own.failure;
  const refused = causes(thrown).find(isRefusal);
  if (refused !== undefined) return refusedFailure(refused, at);
  if (inBody) {
    return {
      code: 'stream_broken',
      message: `The connection to ${at.baseUrl} broke off in the middle of an answer${systemCode(thrown)}. ${KEPT}; nothing unfinished was run: send a message to go on.`,
    };
  }
  return unreachable(thrown, at);
}

/** The SDK's error for an HTTP status, by its shape: its classes are loaded lazily. */
interface SdkRefusal {
  readonly status: number;
  readonly headers: Headers;
  readonly error: unknown;
}

const isRefusal = (thrown: unknown): thrown is SdkRefusal =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'status' in thrown &&
  typeof thrown.status === 'number' &&
  'headers' in thrown &&
  thrown.headers instanceof Headers;

function refusedFailure({ status, headers, error }: SdkRefusal, at: Destination): Failure {
  const body = isJsonObject(error) && isJsonObject(error['error']) ? error['error'] : undefined;
  const plain = isJsonObject(error) ? textOr(error['message']) : '';
  const requestId =
    headers.get('request-id') ?? (isJsonObject(error) ? textOr(error['request_id']) : '');
  return failureFrom(
    {
      status,
      headers,
      text: textOr(body?.['message']) || plain,
      type: textOr(body?.['type']),
      details: body?.['details'],
      ...(requestId === '' ? {} : { requestId }),
    },
    at,
  );
}

/** System codes after which trying again cannot help: the certificate stays the same. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

function unreachable(thrown: unknown, at: Destination): Failure {
  const code = systemCode(thrown);
  if (CERTIFICATE.test(code)) {
    return {
      code: 'network',
      message: `The certificate of ${at.baseUrl} is not trusted${code}. ${KEPT}: check the setting belay.model.baseUrl, and http.systemCertificates when a proxy inspects the traffic.`,
      details: { noRetry: true },
    };
  }
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    return {
      code: 'timeout',
      message: `${at.baseUrl} did not answer in time${code}. ${KEPT}: check the network, then send again.`,
      details: { cause: `${at.baseUrl} did not answer in time${code}` },
    };
  }
  return {
    code: 'network',
    message: `${at.baseUrl} cannot be reached${code}. ${KEPT}: check the network and the setting belay.model.baseUrl, then send again.`,
    details: { cause: `${at.baseUrl} cannot be reached${code}` },
  };
}

function systemCode(thrown: unknown): string {
  for (const cause of causes(thrown)) {
    if (
      typeof cause === 'object' &&
      cause !== null &&
      'code' in cause &&
      typeof cause.code === 'string'
    )
      return ` (${cause.code})`;
  }
  return '';
}

/** An error and what caused it, outermost first. */
function causes(thrown: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let next: unknown = thrown; next !== undefined && next !== null && found.length < 10;) {
    found.push(next);
    next =
      next instanceof Error
        ? next instanceof AggregateError
          ? (next.errors[0] as unknown)
          : next.cause
        : undefined;
  }
  return found;
}

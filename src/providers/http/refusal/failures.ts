import { BelayError, CANCELED, type Failure, tells } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Outcome } from '../answer/assembler.ts';
import { ConnectionError, HttpRefusal } from '../client.ts';
import { failureFrom } from './errors.ts';
import { refusalFrom } from './refusal.ts';
import type { Destination, Rule } from './refusal.ts';
import type { BodyEnd } from '../answer/read-body.ts';
import { proxyLogin } from './refusal-rules.ts';

/** Why a body that was read to its end is no answer. */
export function failureOfEnd(
  end: BodyEnd,
  outcome: Outcome | undefined,
  { at, rules, requestId }: Asked & { readonly requestId: string | undefined },
): Failure {
  const identified = requestId === undefined ? {} : { requestId };
  const request = requestId === undefined ? [] : [told`(Request ${requestId})`];
  if (outcome?.kind === 'error') {
    return failureFrom({ ...refusalFrom(outcome.body), ...identified }, at, rules);
  }
  if (outcome?.kind === 'refused') {
    const { category, explanation } = outcome;
    return {
      code: 'refusal',
      ...tells(
        told`${at.model} declined to answer${category === undefined ? '' : ` (${category})`}.`,
        ...(explanation === undefined ? [] : [told`It says: ${explanation}`]),
        told`The conversation is kept: change your message, or choose another model with “Belay: Choose Model”.`,
        ...request,
      ),
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
      ...tells(
        told`${at.model} gave an empty answer. Everything so far is kept: send a message to go on.`,
        ...request,
      ),
      ...identified,
    };
  }
  if (end === 'html' || end === 'not an answer') {
    return {
      code: 'bad_response',
      ...tells(
        end === 'html'
          ? told`A web page came from ${at.baseUrl} instead of the model: a proxy or a login page is in the way. Everything so far is kept: log in to your network, or check the setting ${at.setting}, then send again.`
          : told`A strange answer came from ${at.baseUrl} instead of the model: a proxy or a login page is in the way. Everything so far is kept: log in to your network, or check the setting ${at.setting}, then send again.`,
      ),
      ...identified,
    };
  }
  if (end === 'too much') {
    return {
      code: 'bad_response',
      ...tells(
        told`${at.baseUrl} sent more than an answer can have, and it was given up. Everything so far is kept; nothing unfinished was run: send a message to go on.`,
        ...request,
      ),
      ...identified,
    };
  }
  return {
    code: 'stream_broken',
    ...tells(
      told`The answer of ${at.model} broke off${outcome?.kind === 'broken' ? told` (${outcome.why})` : ''}. Everything so far is kept; nothing unfinished was run: send a message to go on.`,
      ...request,
    ),
    ...identified,
  };
}

/** Where a request went, and how its refusals are read. */
interface Asked {
  readonly at: Destination;
  /** The wire's own rules. */
  readonly rules: readonly Rule[];
}

interface Circumstances extends Asked {
  readonly signal: AbortSignal;
  /** The headers had arrived. */
  readonly inBody: boolean;
}

/** Turns what the client or the network threw into a failure. */
export function failureOfThrown(
  thrown: unknown,
  { at, rules, signal, inBody }: Circumstances,
): Failure {
  if (signal.aborted) return CANCELED;
  const own = causes(thrown).find((cause) => cause instanceof BelayError);
  if (own !== undefined) return own.failure;
  if (thrown instanceof HttpRefusal) return failureFrom(thrown.refusal, at, rules);
  if (inBody) {
    return {
      code: 'stream_broken',
      ...tells(
        told`The connection to ${at.baseUrl} was lost during the answer${systemCode(thrown)}. Everything so far is kept, and nothing unfinished was run. Send a message to continue.`,
      ),
    };
  }
  return unreachable(thrown, at);
}

/** System codes after which trying again cannot help: the certificate stays the same. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/;

/** System codes of a connection that was open and broke. */
const LOST = /UND_ERR_SOCKET|ECONNRESET|EPIPE|ECONNABORTED/;

/** A tunnel that a proxy refuses; `fetch` gives no answer with 407 to anybody. */
const PROXY_LOGIN = /proxy.{0,40}(?:authentication|\b407\b)|tunnel.{0,300}\b407\b/i;

function unreachable(thrown: unknown, at: Destination): Failure {
  const code = systemCode(thrown);
  const connection = causes(thrown).find((cause) => cause instanceof ConnectionError);
  const proxy = connection?.proxy;
  if (causes(thrown).some((cause) => cause instanceof Error && PROXY_LOGIN.test(cause.message)))
    return { code: 'config', status: 407, ...tells(proxyLogin(proxy)) };
  if (CERTIFICATE.test(code)) {
    return {
      code: 'network',
      ...tells(
        connection === undefined
          ? told`The certificate of ${at.baseUrl} is not trusted${code}. Everything so far is kept: check the setting ${at.setting}, and http.systemCertificates when a proxy inspects the traffic.`
          : told`The certificate of ${at.baseUrl} is not trusted${code}. Everything so far is kept: check the setting ${at.setting}. If a proxy inspects the traffic, set the variable NODE_EXTRA_CA_CERTS to a file with its certificate.`,
      ),
      details: { noRetry: true, problem: 'certificate' },
    };
  }
  if (proxy !== undefined) {
    const { name, shown } = proxy;
    return {
      code: /TIMEOUT|TIMEDOUT/.test(code) ? 'timeout' : 'network',
      ...tells(
        told`The connection through the proxy ${shown} failed${code}. Everything so far is kept: check the network and the proxy in ${name}, then send again.`,
      ),
      details: { cause: `The connection through the proxy ${shown} failed${code}` },
    };
  }
  const where = at.name === undefined ? at.baseUrl : `${at.name} (${at.baseUrl})`;
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    return {
      code: 'timeout',
      ...tells(
        told`${where} did not answer in time${code}. Everything so far is kept: check the network, then send again.`,
      ),
      details: { cause: `${where} did not answer in time${code}` },
    };
  }
  if (LOST.test(code)) {
    return {
      code: 'network',
      ...tells(
        told`The connection to ${where} was lost${code}. Everything so far is kept. Send a message to try again.`,
      ),
      details: { cause: `The connection to ${where} was lost${code}`, problem: 'lost' },
    };
  }
  return {
    code: 'network',
    ...tells(
      told`${where} cannot be reached${code}. Everything so far is kept: check the network and the setting ${at.setting}, then send again.`,
    ),
    details: { cause: `${where} cannot be reached${code}` },
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

import { alsoTells, type Failure, type FailureCode, tells } from '../../../domain/failure.ts';
import { type Told, told } from '../../../domain/text/told.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { fieldOf, isPassing } from './refusal.ts';
import type { Destination, Refusal, Rule } from './refusal.ts';
import { RULES, server, TOO_LARGE_FOR_RATE } from './refusal-rules.ts';
import { waitOf } from './retry-after.ts';

/** Turns a refusal into a failure with a sentence for people. `own`: the wire's rules, asked before those of all. */
export function failureFrom(given: Refusal, at: Destination, own: readonly Rule[] = []): Failure {
  // Some gateways wrap the page of a proxy in JSON.
  const refusal = /<!doctype|<html|<body/i.test(given.text) ? { ...given, text: '' } : given;
  const { status, headers, requestId } = refusal;
  const { rule, match } = ruleFor(refusal, [TOO_LARGE_FOR_RATE, ...own, ...RULES]);
  const mayRetry = headers?.get('x-should-retry');
  const code = rule?.code ?? codeOf(refusal);
  const sentence = rule?.say(at, refusal) ?? unknownRefusal(code, at, refusal);
  const waitMs = waitOf(refusal, at.now);
  const details: JsonObject = {
    ...rule?.details?.(match, at, refusal),
    ...(refusal.text === '' ? {} : { providerText: refusal.text.slice(0, 2000) }),
    ...(mayRetry === 'false' ? { noRetry: true } : {}),
  };
  const failure: Failure = {
    code,
    ...(typeof sentence === 'string' ? { message: sentence } : tells(sentence)),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
  return requestId === undefined ? failure : alsoTells(failure, told`(Request ${requestId})`);
}

/** The code of a refusal that no rule knows. */
function codeOf(refusal: Refusal): FailureCode {
  const { status, headers } = refusal;
  const isServers = status !== undefined && status >= 500;
  if (isServers || headers?.get('x-should-retry') === 'true') return 'overloaded';
  return isPassing(refusal) ? 'rate_limited' : 'api';
}

function ruleFor(
  refusal: Refusal,
  rules: readonly Rule[],
): { rule?: Rule; match: RegExpExecArray | null } {
  const codes = [refusal.code, refusal.type, fieldOf(refusal.details, 'error_code')];
  const passes = isPassing(refusal);
  for (const rule of rules) {
    // The words of a passing failure decide nothing: a 529 that mentions a prompt is a 529.
    if (rule.text !== undefined && passes) continue;
    if (!isOf(rule, refusal) || rule.test?.(refusal) === false) continue;
    if (rule.codes !== undefined && !rule.codes.some((code) => codes.includes(code))) continue;
    const match = rule.text === undefined ? null : rule.text.exec(refusal.text);
    if (rule.text === undefined || match !== null) return { rule, match };
  }
  return { match: null };
}

const isOf = ({ status, type }: Rule, refusal: Refusal): boolean =>
  (status === undefined && type === undefined) ||
  (refusal.status !== undefined && status?.includes(refusal.status) === true) ||
  (refusal.type !== undefined && type?.includes(refusal.type) === true);

function unknownRefusal(code: FailureCode, at: Destination, { status, text }: Refusal): Told {
  const answer = status === undefined ? '' : ` (HTTP ${status})`;
  if (code === 'overloaded')
    return told`${server(at)} failed with an error of its own${answer}. Everything so far is kept: send again.`;
  const words =
    text === '' ? told` without saying why` : `: ${text.slice(0, 500).replace(/[.\s]+$/u, '')}`;
  return told`${server(at)} refused the request${answer}${words}. Everything so far is kept: change the message or the model, then send again.`;
}

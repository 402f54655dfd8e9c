import { type Told, told } from '../../domain/text/told.ts';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** One sign-in that is under way; a new one for each try, kept in memory only. */
export interface PendingAuthorization {
  /** Random, comes back with the answer. */
  readonly state: string;
  /** The issuer that the person is sent to, exactly as its metadata writes it. */
  readonly issuer: string;
  /** Its metadata promises `iss` in the answer (RFC 9207). */
  readonly issuerAnswers: boolean;
}

export function newAuthorization(issuer: string, issuerAnswers: boolean): PendingAuthorization {
  return { state: randomBytes(32).toString('base64url'), issuer, issuerAnswers };
}

/** A code that may be exchanged, or a sentence for the person. */
export type CheckedAnswer = { readonly code: string } | { readonly problem: Told };

/** Checks a sign-in's answer: `state`, `iss` as an exact text (RFC 9207), each parameter once. */
export function checkAnswer(
  parameters: URLSearchParams,
  pending: PendingAuthorization,
): CheckedAnswer {
  const once = (name: string): string | undefined => {
    const all = parameters.getAll(name);
    return all.length === 1 ? all[0] : undefined;
  };
  for (const name of ['code', 'state', 'iss', 'error'])
    if (parameters.getAll(name).length > 1) return no(told`it says ${name} more than once`);
  const state = once('state');
  if (state === undefined || !same(state, pending.state))
    return no(told`it does not belong to the sign-in that was begun here`);
  const issuer = once('iss');
  if (issuer !== undefined && issuer !== pending.issuer)
    return no(
      told`it comes from ${JSON.stringify(issuer.slice(0, 200))}, not from ${pending.issuer}`,
    );
  if (issuer === undefined && pending.issuerAnswers)
    return no(told`it does not say who it is from`);
  const error = once('error');
  if (error !== undefined) return no(told`the server says ${JSON.stringify(error.slice(0, 200))}`);
  const code = once('code');
  return code === undefined || code === '' ? no(told`it has no code`) : { code };
}

function no(why: Told): CheckedAnswer {
  return {
    problem: told`The answer to the sign-in was not taken: ${why}. Nothing was kept; sign in again.`,
  };
}

function same(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

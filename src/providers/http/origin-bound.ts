import { inEnglish, told } from '../../domain/text/told.ts';
import type { BelayError } from '../../domain/failure.ts';
import { fault } from '../../domain/failure.ts';

/** Redirects that keep the method; 303 would turn the request into a GET. */
const FOLLOWED = new Set([301, 302, 307, 308]);

/**
 * Origins whose last answer was no redirect. `fetch` keeps a copy of what is sent for the case that it is redirected,
 * half a megabyte a turn in a long session; where a redirect is an error and there is no window it keeps none.
 */
const straight = new Set<string>();

export interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The body; one after the other. */
  readonly pieces?: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** How `fetch` is to take redirects. */
export type Redirects = Pick<RequestInit, 'redirect' | 'window'>;

const MANUAL: Redirects = { redirect: 'manual' };

/**
 * `fetch` that never takes the key to another origin: plain `fetch` follows redirects with all
 * headers. A redirect within the origin is followed once. A redirect where none was
 * before rejects as a network failure, and is told of when the request is tried again. `advice`: what to do if the
 * new address is right.
 */
export async function originBound(
  send: (to: URL, request: SentRequest, redirects: Redirects) => Promise<Response>,
  address: string,
  request: SentRequest,
  advice: string,
): Promise<Response> {
  const from = new URL(address);
  const response = await send(from, request, redirectsOf(request, from));
  if (response.status < 300 || response.status >= 400) {
    straight.add(from.origin);
    return response;
  }
  const to = targetOf(response, from);
  await response.body?.cancel();
  if (to === undefined || to.origin !== from.origin || !FOLLOWED.has(response.status))
    throw redirected(from, to, response.status, advice);
  const second = await send(to, request, MANUAL);
  if (second.status < 300 || second.status >= 400) return second;
  await second.body?.cancel();
  throw redirected(to, targetOf(second, to), second.status, advice);
}

function redirectsOf({ method }: SentRequest, from: URL): Redirects {
  if (method !== 'POST' || !straight.delete(from.origin)) return MANUAL;
  return { redirect: 'error', window: null };
}

function targetOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

function redirected(from: URL, to: URL | undefined, status: number, advice: string): BelayError {
  const target =
    to === undefined
      ? told`nowhere`
      : to.origin === from.origin
        ? `${to.origin}${to.pathname}`
        : to.origin;
  return fault(
    'bad_response',
    told`${from.origin} sends requests on to ${target}. They were not sent there: your API key would have gone with them. Everything so far is kept. If that address is right, put it into ${advice}; if not, a proxy or a login page is in the way.`,
    { status, details: { redirect: typeof target === 'string' ? target : inEnglish(target) } },
  );
}

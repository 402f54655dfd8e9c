import type { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { BelayError } from '../../domain/failure.ts';
import { withoutEnd } from '../../domain/text/text-end.ts';

export const PUBLIC_API = 'https://api.anthropic.com';

/** The address that a setting means: people paste it with and without `/v1`; empty is the public API. */
export function addressOf(baseUrl: string): string {
  const given = withoutEnd(baseUrl.trim(), '/').replace(/\/v1(?:\/messages)?$/, '');
  return given === '' ? PUBLIC_API : given;
}

/** The SDK's own deadline for headers is put out of the way: deadlines are the watchdogs' business. */
const NO_DEADLINE_MS = 2 ** 31 - 1;

export interface ClientOptions {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** The SDK's client without its retries (B9), logging and environment; loaded when first needed. */
export async function createClient(options: ClientOptions): Promise<BaseAnthropic> {
  const { BaseAnthropic: Client } = await import('./sdk.ts');
  return new Client({
    // Without a key: one that is not sent, so that the SDK looks for none of its own.
    apiKey: options.apiKey ?? 'none',
    authToken: null,
    defaultHeaders: keyHeaders(options),
    baseURL: options.baseUrl,
    fetch: originBound(options.fetch),
    maxRetries: 0,
    timeout: NO_DEADLINE_MS,
    logLevel: 'off',
    openTelemetry: false,
  });
}

/** The SDK sends the key as `authorization`; compatible servers may know `x-api-key` only. */
function keyHeaders({ apiKey, baseUrl }: ClientOptions): Record<string, string | null> {
  if (apiKey === undefined) return { 'x-api-key': null, authorization: null };
  return baseUrl === PUBLIC_API ? {} : { 'x-api-key': apiKey };
}

/** Redirects that keep the method; 303 would turn the request into a GET. */
const FOLLOWED = new Set([301, 302, 307, 308]);

/** A `fetch` that never takes the key to another origin; one redirect within it is followed. */
function originBound(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const from = new URL(input instanceof Request ? input.url : input);
    const response = await send(from, { ...init, redirect: 'manual' });
    if (response.status < 300 || response.status >= 400) return response;
    const to = targetOf(response, from);
    await response.body?.cancel();
    if (to === undefined || to.origin !== from.origin || !FOLLOWED.has(response.status))
      throw redirected(from, to, response.status);
    const second = await send(to, { ...init, redirect: 'manual' });
    if (second.status < 300 || second.status >= 400) return second;
    await second.body?.cancel();
    throw redirected(to, targetOf(second, to), second.status);
  };
}

function targetOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

function redirected(from: URL, to: URL | undefined, status: number): BelayError {
  const target =
    to === undefined
      ? 'nowhere'
      : to.origin === from.origin
        ? `${to.origin}${to.pathname}`
        : to.origin;
  return new BelayError({
    code: 'bad_response',
    status,
    message: `${from.origin} sends requests on to ${target}. They were not sent there: your API key would have gone with them. Everything so far is kept. If that address is right, put it into the setting belay.model.baseUrl; if not, a proxy or a login page is in the way.`,
    details: { redirect: target },
  });
}

import type { Failure } from '../../domain/failure.ts';
import { withoutEnd } from '../../domain/text/text-end.ts';

/** Where the public API is. */
export const PUBLIC_API = 'https://api.anthropic.com';

/** The address that a setting means: people paste it with and without `/v1`; empty is the public API. */
export function addressOf(baseUrl: string): string {
  const given = withoutEnd(baseUrl.trim(), '/').replace(/\/v1(?:\/messages)?$/, '');
  return given === '' ? PUBLIC_API : given;
}

/** The key goes as `authorization`; compatible servers may know `x-api-key` only. */
export function keyHeaders(key: string | undefined, address: string): Record<string, string> {
  const version = { 'anthropic-version': '2023-06-01' };
  if (key === undefined) return version;
  const bearer = { ...version, authorization: `Bearer ${key}` };
  return address === PUBLIC_API ? bearer : { ...bearer, 'x-api-key': key };
}

/** The public API answers nobody without a key. */
export const keyNeeded = (address: string): Failure | undefined =>
  address === PUBLIC_API
    ? {
        code: 'auth',
        message:
          'There is no API key yet. Everything so far is kept: set one with “Belay: Set API Key”, or choose the model “demo”, which needs none.',
      }
    : undefined;

import { told } from '../../domain/text/told.ts';
import { type Failure, tells } from '../../domain/failure.ts';
import { withoutEnd } from '../../domain/text/text-end.ts';

/** Where the public API is. */
export const PUBLIC_API = 'https://api.anthropic.com';

/** The address that a setting means: people paste it with and without `/v1`; empty is the public API. */
export function addressOf(baseUrl: string): string {
  const given = withoutEnd(baseUrl.trim(), '/').replace(/\/v1(?:\/messages)?$/, '');
  return given === '' ? PUBLIC_API : given;
}

/** True for a place of Vertex AI, there or behind a gateway: it has other paths, and the version in the body. */
export const isVertex = (address: string): boolean =>
  /\/projects\/[^/]+\/locations\/[^/]+$/.test(address);

/** Where a model is asked, and where tokens are counted, below the address. */
export function pathsFor(
  address: string,
  model: string,
): { readonly ask: string; readonly count: string } {
  if (!isVertex(address)) return { ask: '/v1/messages', count: '/v1/messages/count_tokens' };
  const models = '/publishers/anthropic/models';
  const name = encodeURIComponent(model).replaceAll('%40', '@');
  return {
    ask: `${models}/${name}:streamRawPredict`,
    count: `${models}/count-tokens:rawPredict`,
  };
}

/**
 * The key goes as `authorization`; compatible servers may know `x-api-key` only.
 * @param token it is a token, which goes under no other name
 */
export function keyHeaders(
  key: string | undefined,
  address: string,
  token = false,
): Record<string, string> {
  const vertex = isVertex(address);
  const version: Record<string, string> = vertex ? {} : { 'anthropic-version': '2023-06-01' };
  if (key === undefined) return version;
  const bearer = { ...version, authorization: `Bearer ${key}` };
  return token || vertex || address === PUBLIC_API ? bearer : { ...bearer, 'x-api-key': key };
}

/** The public API answers nobody without a key. */
export const keyNeeded = (address: string): Failure | undefined =>
  address === PUBLIC_API
    ? {
        code: 'auth',
        ...tells(
          told`There is no API key yet. Everything so far is kept: set one with “Belay: Set API Key”, or choose the model “demo”, which needs none.`,
        ),
      }
    : undefined;

import { withoutEnd } from '../../domain/text/text-end.ts';

/** The host of an address, for sentences; the address itself when it is none. */
export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host : address;

/** True for an address on the person's own machine. */
export const isLoopback = (address: string): boolean =>
  URL.canParse(address) &&
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);

/** An address as it may be shown and logged. */
export const withoutPassword = (address: string): string => address.replace(/\/\/[^/?#]*@/u, '//');

/** A path below an address, whose query (a gateway's version, say) stays at the end. */
export function below(address: string, path: string): string {
  const at = address.indexOf('?');
  if (at < 0) return address + path;
  const query = address.slice(at);
  return `${address.slice(0, at)}${path}${path.includes('?') ? `&${query.slice(1)}` : query}`;
}

/**
 * The address that a person means: pasted with and without the path of the call, or as a host only.
 * `call`: the end that is the call's; `version`: the path of the API where only a host is given.
 */
export function apiAddress(
  baseUrl: string,
  { call, version }: { readonly call: RegExp; readonly version: string },
): string {
  const [plain = '', query] = baseUrl.trim().split('?', 2);
  const base = withoutEnd(withoutEnd(plain, '/').replace(call, ''), '/');
  const path = URL.canParse(base) ? new URL(base).pathname : '';
  const address = path === '/' ? base + version : base;
  return query === undefined ? address : `${address}?${query}`;
}

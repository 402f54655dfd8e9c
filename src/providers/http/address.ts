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
  return at < 0 ? address + path : `${address.slice(0, at)}${path}${address.slice(at)}`;
}

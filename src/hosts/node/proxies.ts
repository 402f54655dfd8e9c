import http from 'node:http';
import { failureOf } from '../../domain/failure.ts';

/** Variables as curl and npm read them; those in small letters count first. */
const NAMES = ['http_proxy', 'https_proxy', 'no_proxy'] as const;
/** No proxy is asked for this machine. */
const HERE = 'localhost,127.0.0.1,::1,[::1]';

/** The proxies of this process: addresses, and hosts (with commas between them) that are asked without one. */
export type Proxies = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/** The proxies that the environment names. */
export function environmentProxies(
  environment: Readonly<Record<string, string | undefined>>,
): Proxies {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = environment[name] ?? environment[name.toUpperCase()] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * From now on what this process asks servers goes through these proxies: models, MCP servers, collectors. Pages of
 * strangers do not: their addresses are judged before they are asked. @param warn hears why they cannot be used
 */
export function useProxies(proxies: Proxies, warn: (sentence: string) => void): void {
  const { no_proxy: without, ...addresses } = proxies;
  if (Object.keys(addresses).length === 0) return;
  try {
    const no_proxy = without === undefined ? HERE : `${without},${HERE}`;
    http.setGlobalProxyFromEnv({ ...addresses, no_proxy });
  } catch (error) {
    warn(`The proxy cannot be used, so requests go out without one. ${failureOf(error).message}`);
  }
}

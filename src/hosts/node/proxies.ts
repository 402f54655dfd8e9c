import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { ConnectionError, type Send } from '../../providers/http/client.ts';
import { send } from './web/send.ts';

/**
 * Proxies and exceptions under the names that the user gave them: variables of the environment, `http.proxy` and
 * `http.noProxy` of VS Code. The first name that has a value decides, as in curl; an empty one means no proxy.
 */
export type Proxies = Readonly<Record<string, string>>;

const FOR_ALL = ['all_proxy', 'ALL_PROXY'];
const FOR_HTTP = ['http.proxy', 'http_proxy', 'HTTP_PROXY', ...FOR_ALL];
const FOR_HTTPS = ['http.proxy', 'https_proxy', 'HTTPS_PROXY', ...FOR_ALL];
const EXCEPTIONS = ['http.noProxy', 'no_proxy', 'NO_PROXY'];
/** This machine is always asked without a proxy. */
const LOCAL = ['localhost', '127.0.0.0/8', '127.0.0.1', '::1', '[::1]'];

/** Never answers. It replaces a proxy that cannot be used, so that no request goes out without one. */
const DEAD_PROXY = 'http://127.0.0.1:0';

/** Agents that use no proxy, whatever the global ones do later. */
const DIRECT = { 'http:': http.globalAgent, 'https:': https.globalAgent };

interface Proxy {
  /** The variable or setting. */
  readonly name: string;
  /** Its address without credentials, or the value if it is no address. */
  readonly shown: string;
  /** `undefined` if it cannot be used. */
  readonly url: string | undefined;
}

/** Reads the proxies that the environment names. */
export function environmentProxies(
  environment: Readonly<Record<string, string | undefined>>,
): Proxies {
  return Object.fromEntries(
    [...FOR_HTTP, ...FOR_HTTPS, ...EXCEPTIONS].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Makes `fetch` in this process use the proxies. Pages of strangers never use them: their addresses are checked
 * before the request.
 */
export function useProxies(proxies: Proxies): void {
  const [forHttp, forHttps] = [findProxy(proxies, FOR_HTTP), findProxy(proxies, FOR_HTTPS)];
  const exceptions = readExceptions(proxies);
  http.setGlobalProxyFromEnv({
    ...(forHttp === undefined ? {} : { http_proxy: forHttp.url ?? DEAD_PROXY }),
    ...(forHttps === undefined ? {} : { https_proxy: forHttps.url ?? DEAD_PROXY }),
    no_proxy: exceptions.includes('*') ? '*' : exceptions.join(','),
  });
}

/** Sends through the proxies; rejects with `ConnectionError`, or with `config` if the proxy cannot be used. */
export function proxiedSend(proxies: Proxies): Send {
  const [forHttp, forHttps] = [findProxy(proxies, FOR_HTTP), findProxy(proxies, FOR_HTTPS)];
  const exceptions = readExceptions(proxies);
  const httpAgent = new http.Agent({ keepAlive: true, proxyEnv: { http_proxy: forHttp?.url } });
  const httpsAgent = new https.Agent({ keepAlive: true, proxyEnv: { https_proxy: forHttps?.url } });
  return async (url, request) => {
    const isHttps = url.protocol === 'https:';
    const proxy = isException(exceptions, url) ? undefined : isHttps ? forHttps : forHttp;
    if (proxy !== undefined && proxy.url === undefined)
      throw fault(
        'config',
        told`Nothing was sent to ${url.host}: the proxy “${proxy.shown}” in ${proxy.name} can't be used. Belay supports proxies with addresses such as http://proxy.example:3128. Correct ${proxy.name}, then send again.`,
      );
    const direct = isHttps ? DIRECT['https:'] : DIRECT['http:'];
    const agent = proxy === undefined ? direct : isHttps ? httpsAgent : httpAgent;
    try {
      const response = await send(url, request, { agent });
      if (proxy === undefined || response.status !== 407) return response;
      await response.body?.cancel();
      throw new Error('Proxy authentication required.');
    } catch (error) {
      throw request.signal.aborted ? error : new ConnectionError(error, proxy);
    }
  };
}

function findProxy(proxies: Proxies, names: readonly string[]): Proxy | undefined {
  const name = names.find((one) => proxies[one] !== undefined);
  const value = proxies[name ?? '']?.trim() ?? '';
  if (name === undefined || value === '') return undefined;
  const address = /^[a-z][\w+.-]*:\/\//iu.test(value) ? value : `http://${value}`;
  const url = parseAddress(address);
  return url !== undefined && /^https?:$/u.test(url.protocol) && !/\s/u.test(value)
    ? { name, shown: `${url.protocol}//${url.host}`, url: url.href }
    : { name, shown: value.replace(/^(\w+:\/\/)?.*@/su, '$1'), url: undefined };
}

/** Node throws later for a login that cannot be decoded. */
function parseAddress(address: string): URL | undefined {
  try {
    const url = new URL(address);
    decodeURIComponent(`${url.username}${url.password}`);
    return url;
  } catch {
    return undefined;
  }
}

function readExceptions(proxies: Proxies): readonly string[] {
  const name = EXCEPTIONS.find((one) => proxies[one] !== undefined) ?? '';
  const entries = (proxies[name] ?? '').toLowerCase().split(/[\s,]+/u);
  return [...entries.filter((entry) => entry !== ''), ...LOCAL];
}

/** Returns whether an entry is the host, a domain above it, or a range (CIDR) that its address is in. */
function isException(exceptions: readonly string[], { hostname, port, protocol }: URL): boolean {
  const host = hostname.replaceAll(/^\[|\]$|\.$/gu, '');
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return exceptions.some((entry) => {
    const parts = /^(?:\[(?<address>.+)\]|(?<name>[^:]+|.*:.*:.*?))(?::(?<port>\d+))?$/u.exec(
      entry,
    );
    const { address, name, port: wanted = ownPort } = parts?.groups ?? {};
    const domain = (address ?? name ?? '').replace(/^\*?\.(?=.)/u, '');
    if (domain === '' || wanted !== ownPort) return false;
    return (
      domain === '*' || host === domain || host.endsWith(`.${domain}`) || isInRange(host, domain)
    );
  });
}

function isInRange(host: string, range: string): boolean {
  const [first = '', bits] = range.split('/', 2);
  if (bits === undefined || isIP(host) === 0 || isIP(host) !== isIP(first)) return false;
  const size = Number(bits);
  const family = isIPv6(host) ? 'ipv6' : 'ipv4';
  if (!Number.isInteger(size) || size < 0 || size > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(first, size, family);
  return list.check(host, family);
}

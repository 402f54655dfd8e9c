import { type Told } from '../../../domain/text/told.ts';
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import { isIP } from 'node:net';
import { plainHost } from '../../../core/permissions/network/network-address.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { send } from './send.ts';

export type JudgeAddress = (
  host: string,
  address: string,
) => { readonly ok: true } | { readonly ok: false; readonly reason: Told };

/** Finds the addresses of a name; the system's resolver unless a test turns the hands. */
export type Resolve = (
  host: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (host, callback) => {
  systemLookup(host, { all: true, verbatim: true }, callback);
};

/**
 * A `fetch` for strangers' addresses: resolved once, judged, pinned; redirects are not followed.
 * Rejects with `BelayError` code `permission` when an address is not allowed, else as `fetch` does.
 */
export function pinnedFetch(
  judge: JudgeAddress,
  resolve: Resolve = resolveBySystem,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, { body, headers, method = 'GET', signal } = {}) => {
    const url = new URL(input);
    const host = plainHost(url.hostname);
    const verdict = isIP(host) === 0 ? undefined : judge(host, host);
    if (verdict?.ok === false) throw notAllowed(verdict.reason);
    if (body !== undefined && body !== null && typeof body !== 'string' && !isBytes(body))
      throw new TypeError('The body of a request is a text or bytes.');
    const request = {
      method,
      headers: Object.fromEntries(new Headers(headers).entries()),
      ...(body === undefined || body === null ? {} : { pieces: [Buffer.from(body)] }),
      ...(signal === undefined || signal === null ? {} : { signal }),
    };
    return send(url, request, {
      lookup: judgedLookup(judge, resolve),
      // A proxy would look the name up itself, and nobody would judge where it leads.
      ...(isProxied() ? { agent: false } : {}),
    });
  };
}

/** Requests of this process go through a proxy where nothing else is said. */
function isProxied(): boolean {
  const { options } = http.globalAgent as http.Agent & { readonly options?: http.AgentOptions };
  return options?.proxyEnv !== undefined;
}

function isBytes(body: unknown): body is Uint8Array {
  return body instanceof Uint8Array;
}

/** One answer that is not allowed refuses the name: a mixed answer is how the check is played. */
function judgedLookup(judge: JudgeAddress, resolve: Resolve) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      for (const { address } of addresses) {
        const verdict = judge(plainHost(hostname), address);
        if (!verdict.ok) {
          callback(notAllowed(verdict.reason), []);
          return;
        }
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else if (first === undefined) callback(new Error(`${hostname} has no address.`), []);
      else callback(null, first.address, first.family);
    });
  };
}

function notAllowed(reason: Told): BelayError {
  return fault('permission', reason);
}

import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { plainHost } from '../../../core/permissions/network-address.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';

export type JudgeAddress = (
  host: string,
  address: string,
) => { readonly ok: true } | { readonly ok: false; readonly reason: string };

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
  return (input, init = {}) =>
    new Promise<Response>((fulfil, reject) => {
      const url = new URL(input);
      const secure = url.protocol === 'https:';
      const host = plainHost(url.hostname);
      if (isIP(host) !== 0) {
        const verdict = judge(host, host);
        if (!verdict.ok) {
          reject(notAllowed(verdict.reason));
          return;
        }
      }
      const signal = init.signal ?? undefined;
      const request = (secure ? https : http).request(
        url,
        {
          method: init.method ?? 'GET',
          headers: headersOf(init),
          lookup: judgedLookup(judge, resolve),
          ...(signal === undefined ? {} : { signal }),
        },
        (message) => {
          try {
            fulfil(responseOf(message));
          } catch (error) {
            message.destroy();
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
      );
      request.on('error', (error) => reject(signal?.aborted === true ? abortOf(signal) : error));
      const { body } = init;
      if (body !== undefined && body !== null && typeof body !== 'string' && !isBytes(body)) {
        request.destroy();
        reject(new TypeError('The body of a request is a text or bytes.'));
        return;
      }
      request.end(body ?? undefined);
    });
}

function isBytes(body: unknown): body is Uint8Array {
  return body instanceof Uint8Array;
}

function abortOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new DOMException('The request was stopped.', 'AbortError');
}

function headersOf(init: RequestInit): Record<string, string> {
  const headers = Object.fromEntries(new Headers(init.headers).entries());
  return { 'accept-encoding': 'gzip, deflate, br', ...headers };
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

function notAllowed(reason: string): BelayError {
  return fault('permission', reason);
}

const EMPTY_STATUS: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(message: http.IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) throw new TypeError(`The server answered with ${status}.`);
  const encoding = headers.get('content-encoding')?.toLowerCase().trim() ?? '';
  if (EMPTY_STATUS.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(unpacked(message, encoding)) as ReadableStream<Uint8Array>;
  return new Response(body, { status, statusText: message.statusMessage ?? '', headers });
}

function unpacked(message: http.IncomingMessage, encoding: string): Readable {
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined;
  if (unpack === undefined) return message;
  // The reader of the unpacked stream hears of every error; nothing is left open.
  pipeline(message, unpack, () => {});
  return unpack;
}

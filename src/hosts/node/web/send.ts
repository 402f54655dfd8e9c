import http from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { BodyMemory } from '../../../providers/http/body-memory.ts';

/** A request and its body, one piece after the other. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces?: readonly Uint8Array[];
  readonly signal?: AbortSignal;
}

/** Milliseconds until a connection must be there, as `fetch` has it. */
const CONNECT_MS = 10_000;

const memory = new BodyMemory();

/**
 * Sends over Node's own HTTP, which copies what is sent once, where `fetch` does it three times. Follows no redirect;
 * rejects with the system's error, or with the signal's reason.
 */
export function send(
  url: URL,
  { method, headers, pieces, signal }: Sent,
  options: Pick<http.RequestOptions, 'agent' | 'lookup'> = {},
): Promise<Response> {
  return new Promise<Response>((fulfil, reject) => {
    const body = pieces === undefined ? undefined : memory.join(pieces);
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        ...options,
        method,
        headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
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
    limitConnecting(request);
    request.on('error', (error) => reject(signal?.aborted === true ? abortOf(signal) : error));
    // Not before: a server may answer while the body is still on its way.
    request.on('close', () => body?.giveBack());
    request.end(body?.bytes);
  });
}

function limitConnecting(request: http.ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = setTimeout(() => {
      const error = new Error(`No connection within ${CONNECT_MS / 1000} s.`);
      request.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }, CONNECT_MS);
    const connected = (): void => clearTimeout(late);
    socket.once('connect', connected).once('close', connected);
  });
}

function abortOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error
    ? signal.reason
    : new DOMException('The request was stopped.', 'AbortError');
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

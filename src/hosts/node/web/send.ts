import http from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A request and its body, one piece after the other. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces?: readonly Uint8Array[];
  readonly signal?: AbortSignal;
}

/** Milliseconds until a connection must be there, as `fetch` has it. */
const CONNECT_MS = 10_000;

/** Bytes of the largest memory that is kept for the next body. */
const MOST_KEPT = 32 * 1024 * 1024;

/** Memory for the next body: a long session sends half a megabyte a turn, and new memory costs more than the copy. */
let spare: Uint8Array | undefined;

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
    const body = pieces === undefined ? undefined : inOneMemory(pieces);
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

function inOneMemory(pieces: readonly Uint8Array[]): {
  readonly bytes: Uint8Array;
  readonly giveBack: () => void;
} {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const memory = spare !== undefined && spare.length >= length ? spare : new Uint8Array(2 * length);
  // Whoever sends at the same time takes another one.
  spare = undefined;
  let at = 0;
  for (const piece of pieces) {
    memory.set(piece, at);
    at += piece.length;
  }
  return {
    bytes: memory.subarray(0, length),
    giveBack: () => {
      if (memory.length <= MOST_KEPT && memory.length >= (spare?.length ?? 0)) spare = memory;
    },
  };
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

import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** One answer of a scripted model. */
export interface WireTurn {
  /** Sent one after the other as data of events; text is sent as it is. */
  readonly chunks?: readonly unknown[];
  /** `[DONE]` at the end. */
  readonly done?: boolean;
  /** How the body ends; `end` unless said otherwise. */
  readonly end?: 'end' | 'reset';
  readonly status?: number;
  /** Instead of the events; an object is sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds between two events. */
  readonly gapMs?: number;
}

/** Request number `n` (1 for the first) gets this answer. */
export type WireScript<Body> = (request: Body, n: number) => WireTurn;

export interface RecordedRequest<Body> {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

export interface WireServer<Body> {
  readonly origin: string;
  readonly requests: readonly RecordedRequest<Body>[];
  use(script: WireScript<Body>): void;
  close(): Promise<void>;
}

export interface WireServerOptions<Body> {
  readonly script: WireScript<Body>;
  /** What the strictest server says of a request; `undefined`: it takes it. */
  readonly refuse: (request: RecordedRequest<Body>) => WireTurn | undefined;
  /** Answers by path, to GET and to questions by POST. */
  readonly pages?: Readonly<Record<string, unknown>> | undefined;
  /** The answer where the script throws. */
  readonly failed: (error: unknown) => WireTurn;
}

/** Starts a scripted API on loopback. */
export async function startWireServer<Body>(
  options: WireServerOptions<Body>,
): Promise<WireServer<Body>> {
  const requests: RecordedRequest<Body>[] = [];
  let { script } = options;
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const page = options.pages?.[pathname];
    if (request.method === 'GET' || page !== undefined) {
      return play(response, page === undefined ? { status: 404, body: {} } : { body: page });
    }
    const body = JSON.parse(text) as Body;
    const recorded = { path: request.url ?? '', headers: request.headers, text, body };
    requests.push(recorded);
    const refused = options.refuse(recorded);
    if (refused !== undefined) return play(response, refused);
    count += 1;
    await play(response, script(body, count));
  };
  const http = createServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else void play(response, options.failed(error));
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  http.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    use: (next) => {
      script = next;
      count = 0;
    },
    close: async () => {
      const closed = Promise.withResolvers<void>();
      http.close(() => closed.resolve());
      http.closeAllConnections();
      await closed.promise;
    },
  };
}

async function play(response: ServerResponse, turn: WireTurn): Promise<void> {
  const { body, status = 200, headers } = turn;
  if (turn.chunks === undefined) {
    const isText = typeof body === 'string';
    const contentType = turn.contentType ?? (isText ? 'text/plain' : 'application/json');
    response.writeHead(status, { 'content-type': contentType, ...headers });
    response.end(body === undefined || isText ? body : JSON.stringify(body));
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  const end = turn.done === true ? ['[DONE]'] : [];
  for (const chunk of [...turn.chunks, ...end]) {
    if (turn.gapMs !== undefined) await wait(turn.gapMs, undefined, { ref: false });
    const { type } = (typeof chunk === 'object' ? chunk : {}) as { type?: unknown };
    if (typeof type === 'string') response.write(`event: ${type}\n`);
    response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
  }
  if (turn.end !== 'reset') return void response.end();
  await wait(20);
  response.socket?.resetAndDestroy();
}

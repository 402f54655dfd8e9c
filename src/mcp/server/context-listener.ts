import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler, type Server } from '@modelcontextprotocol/server';

const PATH = '/mcp';
/** Bytes of a request: a call names a file or a query. */
const LONGEST = 1_000_000;
/** Connections at a time; agents hold one or two. */
const MOST_CONNECTIONS = 32;

/**
 * An MCP server over HTTP on 127.0.0.1, for programs of this machine that know the secret. Web pages are refused by
 * their origin and by other host names, whatever they know.
 */
export class ContextListener {
  readonly #http: http.Server;
  readonly #handler: McpHttpHandler;
  readonly #secret: Buffer;

  private constructor(server: () => Server, secret: string) {
    this.#secret = Buffer.from(`Bearer ${secret}`);
    this.#handler = createMcpHandler(server);
    this.#http = http.createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#http.maxConnections = MOST_CONNECTIONS;
    this.#http.headersTimeout = 10_000;
    this.#http.requestTimeout = 60_000;
  }

  /** @param port 0: any free one. Rejects when it cannot be had. */
  static async open(server: () => Server, secret: string, port = 0): Promise<ContextListener> {
    const listener = new ContextListener(server, secret);
    await new Promise<void>((resolve, reject) => {
      listener.#http.once('error', reject);
      listener.#http.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
    });
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${PATH}`;
  }

  /** Nothing listens any more when it resolves. */
  async dispose(): Promise<void> {
    await this.#handler.close();
    this.#http.closeAllConnections();
    if (this.#http.listening) await new Promise((resolve) => this.#http.close(resolve));
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo | null)?.port ?? 0;
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      request.resume();
      response.writeHead(refusal.status, { 'content-type': 'text/plain', connection: 'close' });
      response.end(`${refusal.why}\n`);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await this.#handler.fetch(await webRequest(request, this.url, gone.signal));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else await pipeline(answer.body as unknown as AsyncIterable<Uint8Array>, response);
  }

  #refusalOf(request: http.IncomingMessage): { status: number; why: string } | undefined {
    const { host, origin, authorization = '' } = request.headers;
    if (host !== `127.0.0.1:${this.#port}` && host !== `localhost:${this.#port}`)
      return { status: 403, why: 'This server answers to 127.0.0.1 only.' };
    if (origin !== undefined) return { status: 403, why: 'This server is not for web pages.' };
    const given = Buffer.from(authorization);
    if (given.length !== this.#secret.length || !timingSafeEqual(given, this.#secret))
      return {
        status: 401,
        why: 'The secret is missing or wrong. In VS Code: Belay: Copy MCP Server Configuration…',
      };
    return request.url === PATH ? undefined : { status: 404, why: `The address is ${PATH}.` };
  }
}

/** Rejects when the body is too long, and with it the exchange ends. */
async function webRequest(
  request: http.IncomingMessage,
  url: string,
  signal: AbortSignal,
): Promise<Request> {
  const { method = 'GET' } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST) throw new Error('The request is too long.');
    chunks.push(chunk);
  }
  const headers = Object.entries(request.headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(url, {
    method,
    headers,
    signal,
    ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
  });
}

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

type Respond = (call: Call, request: IncomingMessage, response: ServerResponse) => void;

/**
 * An MCP server over HTTP, written against the wire. `respond` may answer a request itself; what it leaves alone is
 * answered as a server of 2025 without sessions does. It listens on loopback only.
 */
export class WebServer {
  /** Requests that came, as "POST tools/call". */
  readonly seen: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #respond: Respond;

  constructor(respond: Respond = () => {}) {
    this.#respond = respond;
  }

  /** `port` 0: any. Resolves with the address. */
  async listen(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const call = (body === '' ? {} : JSON.parse(body)) as Call;
    this.seen.push(`${request.method} ${call.method ?? ''}`.trim());
    this.headers.push(request.headers);
    this.#respond(call, request, response);
    if (!response.headersSent && !response.destroyed && !held.has(response))
      answer(call, request, response);
  }
}

const held = new WeakSet<ServerResponse>();

/** Never answers this request. */
export function hold(response: ServerResponse): void {
  held.add(response);
}

/** Answers with a JSON result. */
export function result(call: Call, response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: value }));
}

function answer(call: Call, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
  } else if (call.id === undefined) {
    response.writeHead(202).end();
  } else if (call.method === 'initialize') {
    result(call, response, {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    });
  } else if (call.method === 'tools/list') {
    const names = ['echo', 'odd'];
    result(call, response, {
      tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
    });
  } else if (call.method === 'tools/call') {
    const text = JSON.stringify(call.params?.arguments);
    result(call, response, { content: [{ type: 'text', text }] });
  } else {
    response.setHeader('content-type', 'application/json');
    const error = { code: -32601, message: 'Method not found' };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, error }));
  }
}

import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Fault = 'token redirect' | 'wrong iss' | 'other state' | 'metadata elsewhere';

/** An MCP server and its authorization server in one, on loopback. */
export class GuardedServer {
  readonly seen: string[] = [];
  fault: Fault | undefined;
  /** What the MCP server takes. */
  token = 'first';
  readonly #challenges = new Map<string, string>();
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `${this.#origin}/mcp`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.#origin);
    const body = await text(request);
    this.seen.push(`${request.method} ${url.pathname}`);
    const json = (value: object, status = 200, headers = {}): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    switch (url.pathname) {
      case '/mcp':
        return this.#mcp(request, response, body, json);
      case '/.well-known/oauth-protected-resource/mcp':
        return json({ resource: `${this.#origin}/mcp`, authorization_servers: [this.#origin] });
      case '/.well-known/oauth-authorization-server':
        return json(this.#metadata());
      case '/register':
        return json({ ...(JSON.parse(body) as object), client_id: 'registered' }, 201);
      case '/authorize':
        return this.#authorize(url, response);
      case '/token':
        return this.#token(new URLSearchParams(body), response, json);
      default:
        response.writeHead(404).end();
    }
  }

  #metadata(): object {
    const elsewhere = this.fault === 'metadata elsewhere';
    return {
      issuer: this.#origin,
      authorization_endpoint: `${this.#origin}/authorize`,
      token_endpoint: elsewhere ? 'http://evil.example/token' : `${this.#origin}/token`,
      registration_endpoint: `${this.#origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize({ searchParams }: URL, response: http.ServerResponse): void {
    this.#challenges.set('code', searchParams.get('code_challenge') ?? '');
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    const state = searchParams.get('state') ?? '';
    back.searchParams.set('code', 'code');
    back.searchParams.set('state', this.fault === 'other state' ? `${state}x` : state);
    const issuer = this.fault === 'wrong iss' ? 'https://evil.example' : this.#origin;
    back.searchParams.set('iss', issuer);
    response.writeHead(302, { location: back.href }).end();
  }

  #token(
    given: URLSearchParams,
    response: http.ServerResponse,
    json: (value: object, status?: number) => void,
  ): void {
    if (this.fault === 'token redirect') {
      response
        .writeHead(307, { location: `${this.#origin.replace('127.0.0.1', 'localhost')}/stolen` })
        .end();
      return;
    }
    const verifier = given.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const renews = given.get('refresh_token') === 'again';
    if (!renews && challenge !== this.#challenges.get('code')) {
      json({ error: 'invalid_grant' }, 400);
      return;
    }
    json({ access_token: this.token, token_type: 'Bearer', refresh_token: 'again' });
  }

  #mcp(
    { headers, method }: http.IncomingMessage,
    response: http.ServerResponse,
    body: string,
    json: (value: object, status?: number, headers?: object) => void,
  ): void {
    if (headers.authorization !== `Bearer ${this.token}`) {
      const metadata = `${this.#origin}/.well-known/oauth-protected-resource/mcp`;
      json({}, 401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
      return;
    }
    if (method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method: asked } = JSON.parse(body) as { id?: number; method?: string };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'open', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'it is open' }] },
    };
    const result = results[asked ?? ''];
    const error = { code: -32_601, message: 'unknown' };
    json({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  }
}

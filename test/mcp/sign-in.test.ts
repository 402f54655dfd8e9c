import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { McpPerson } from '../../src/mcp/requests/person.ts';
import { credentialMemory } from '../../src/mcp/auth/credential-book.ts';
import { Harness, textOf, wicked } from './support/harness.ts';

type Fault = 'token redirect' | 'wrong iss' | 'other state' | 'metadata elsewhere';

/** An MCP server and its authorization server in one, on loopback. */
class GuardedServer {
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

/** A browser that goes where it is sent. */
async function browse(address: URL): Promise<boolean> {
  for (let next: string | null = address.href; next !== null;) {
    const response: Response = await fetch(next, { redirect: 'manual' });
    next = response.headers.get('location');
  }
  return true;
}

describe('MCP: signing in to a server', function () {
  this.timeout(30_000);
  let server: GuardedServer;
  let harness: Harness;
  let opened: string[];
  let willing: boolean;
  const credentials = credentialMemory();

  beforeEach(async () => {
    server = new GuardedServer();
    opened = [];
    willing = true;
    harness = fresh();
    const url = await server.listen();
    harness.configure({ guarded: { url }, other: wicked('good') });
  });
  afterEach(async () => {
    await harness.hub.dispose();
    await server.close();
  });

  function fresh(): Harness {
    const person: McpPerson = {
      fillForm: async () => ({ action: 'cancel' }),
      openPage: async () => ({ action: 'cancel' }),
      sample: async () => undefined,
      signIn: async (_server, url) => {
        opened.push(url.host);
        return willing && browse(url);
      },
    };
    return new Harness({ support: { person, credentials } });
  }

  it('no browser opens by itself; a restart by hand signs in, and the tokens are kept and renewed', async () => {
    await harness.hub.tools();
    assert.match(harness.reason('guarded'), /asks you to sign in\./u);
    assert.equal(harness.hub.servers().find(({ name }) => name === 'guarded')?.signIn, true);
    assert.deepEqual(opened, []);
    await harness.hub.restart('guarded');
    assert.equal(harness.state('guarded'), 'ready', harness.reason('guarded'));
    assert.equal(opened.length, 1);
    assert.match(textOf(await harness.call('open')), /it is open/u);
    // The token runs out: it is renewed within the call, and nobody is asked.
    server.token = 'second';
    assert.match(textOf(await harness.call('open')), /it is open/u);
    // Another window starts with what is kept.
    const definition = harness.hub.server('guarded')?.definition;
    assert.ok(definition?.target?.kind === 'http');
    const other = fresh();
    other.configure({ guarded: { url: definition.target.url } });
    await other.hub.tools();
    assert.equal(other.state('guarded'), 'ready', other.reason('guarded'));
    await other.hub.dispose();
    assert.equal(opened.length, 1);
    await harness.hub.signOut('guarded');
    server.token = 'third';
    await harness.hub.restart('guarded');
    assert.equal(opened.length, 2, 'after signing out the person is asked again');
  });

  it('a no of the person is a state in words, and other servers go on', async () => {
    willing = false;
    await harness.hub.tools();
    await harness.hub.restart('guarded');
    assert.match(harness.reason('guarded'), /You did not sign in/u);
    assert.equal(harness.state('other'), 'ready');
  });

  for (const [fault, sentence] of [
    ['wrong iss', /it comes from "https:\/\/evil\.example"/u],
    ['other state', /does not belong to the sign-in that was begun here/u],
    ['token redirect', /The sign-in failed/u],
    ['metadata elsewhere', /token_endpoint that cannot be used/u],
  ] as const)
    it(`${fault}: nothing is sent there, the person reads why, and other servers go on`, async () => {
      server.fault = fault;
      await harness.hub.tools();
      await harness.hub.restart('guarded');
      assert.equal(harness.state('guarded'), 'failed');
      assert.match(harness.reason('guarded'), sentence);
      assert.ok(!server.seen.includes('POST /stolen'), server.seen.join());
      if (fault !== 'token redirect') assert.ok(!server.seen.includes('POST /token'));
      assert.equal(harness.state('other'), 'ready');
    });
});

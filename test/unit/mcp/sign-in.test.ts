import assert from 'node:assert/strict';
import http from 'node:http';
import { checkAnswer, newAuthorization } from '../../../src/mcp/auth/authorization.ts';
import { CallbackListener } from '../../../src/mcp/auth/callback-listener.ts';
import { CredentialBook, credentialMemory } from '../../../src/mcp/auth/credential-book.ts';
import { resourceProblem, serverProblem } from '../../../src/mcp/auth/metadata.ts';
import { openable } from '../../../src/mcp/auth/openable.ts';
import { ServerConsent } from '../../../src/mcp/config/consent.ts';

const issuer = 'https://as.example';

describe('sign-in of MCP servers', () => {
  it('rule 10: state is new each time', () => {
    const [one, other] = [1, 2].map(() => newAuthorization(issuer, true).state);
    assert.notEqual(one, other);
    assert.ok(one !== undefined && one.length >= 43);
  });

  it('rule 10: an answer counts once, with its own state, from the issuer that was asked', () => {
    const pending = { ...newAuthorization(issuer, true), state: 'good' };
    const check = (query: string, more = {}) =>
      checkAnswer(new URLSearchParams(query), { ...pending, ...more });
    const right = `code=c&state=good&iss=${encodeURIComponent(issuer)}`;
    assert.deepEqual(check(right), { code: 'c' });
    assert.deepEqual(check('code=c&state=good', { issuerAnswers: false }), { code: 'c' });
    for (const query of [
      'code=c&state=good',
      `code=c&state=bad&iss=${issuer}`,
      `code=c&iss=${issuer}`,
      `code=c&state=good&iss=${issuer}/`,
      `code=c&state=good&iss=https://AS.example`,
      `code=c&code=d&state=good&iss=${issuer}`,
      `code=c&state=good&state=good&iss=${issuer}`,
      `error=access_denied&state=good&iss=${issuer}`,
      `state=good&iss=${issuer}`,
    ])
      assert.ok('problem' in check(query), query);
  });

  it('rule 10: metadata is about the server that was asked, and its endpoints are safe (RFC 8707, 9728, 8414)', () => {
    const server = 'https://mcp.example/a/mcp';
    for (const resource of [server, 'https://mcp.example/a', 'https://mcp.example/'])
      assert.equal(resourceProblem(server, { resource }), undefined, resource);
    for (const resource of [
      'https://evil.example/a/mcp',
      'https://mcp.example/a/mc',
      'https://mcp.example/b',
      'http://mcp.example/a/mcp',
      'https://mcp.example:444/a/mcp',
      undefined,
    ])
      assert.ok(resourceProblem(server, { resource }) !== undefined, String(resource));
    const good = {
      issuer,
      authorization_endpoint: 'https://as.example/authorize',
      token_endpoint: 'https://as.example/token',
      code_challenge_methods_supported: ['plain', 'S256'],
    };
    assert.equal(serverProblem(issuer, good), undefined);
    for (const bad of [
      { issuer: `${issuer}/` },
      { authorization_endpoint: 'file:///bin/sh' },
      { token_endpoint: 'http://as.example/token' },
      { registration_endpoint: 'http://169.254.169.254/' },
      { code_challenge_methods_supported: ['plain'] },
      { code_challenge_methods_supported: undefined },
    ])
      assert.ok(serverProblem(issuer, { ...good, ...bad }) !== undefined, JSON.stringify(bad));
  });

  it('rule 10: only https, or http to this machine, is opened, and nothing a shell would act on', () => {
    for (const url of [
      'https://as.example/a?b=c&d=e',
      'http://127.0.0.1:8080/x',
      'http://localhost/',
    ])
      assert.ok('url' in openable(url), url);
    for (const url of [
      'http://as.example/',
      'https://x/$(touch a)',
      'https://x/%60a%60',
      'command:x',
    ])
      assert.ok('problem' in openable(url), url);
  });

  it('rule 10: what one issuer gave is never offered to another, and goes when the server moves', async () => {
    const kept = new Map<string, string>();
    const storage = {
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => void kept.set(key, value),
      delete: async (key: string) => void kept.delete(key),
    };
    const client = { client_id: 'id' };
    const tokens = { access_token: 't', token_type: 'Bearer' };
    const book = new CredentialBook(storage, 'hash');
    await book.keep(issuer, { client });
    await book.keep(issuer, { tokens });
    assert.deepEqual(await book.of(issuer), { client, tokens });
    assert.deepEqual(await book.of('https://other.example'), {});
    assert.deepEqual(await new CredentialBook(storage, 'another definition').of(issuer), {});
    await book.movedTo(issuer);
    assert.deepEqual(await book.of(issuer), { client, tokens });
    await book.movedTo('https://other.example');
    assert.deepEqual(await book.of(issuer), {});
    assert.equal(kept.size, 0);
    await book.keep('https://other.example', { client: { client_id: 'new' } });
    assert.deepEqual(await book.of('https://other.example'), { client: { client_id: 'new' } });
  });
});

describe('the tokens of a server whose address has a typed value in it', () => {
  it('rule 10: are forgotten when the same definition leads to another host', async () => {
    const storage = credentialMemory();
    const first = new CredentialBook(storage, 'hash');
    await first.at('https://one.example/mcp');
    await first.keep('https://issuer.example', {
      tokens: { access_token: 'of one', token_type: 'bearer' },
    });
    const again = new CredentialBook(storage, 'hash');
    await again.at('https://one.example/other');
    assert.equal(await again.token(), 'of one');
    const moved = new CredentialBook(storage, 'hash');
    await moved.at('https://two.example/mcp');
    assert.equal(await moved.token(), undefined);
    assert.equal(await new CredentialBook(storage, 'hash').token(), undefined);
  });
});

describe('the redirect address of a sign-in', () => {
  let listener: CallbackListener;

  beforeEach(async () => {
    listener = await CallbackListener.open();
  });
  afterEach(() => listener.dispose());

  const status = (path: string, options: http.RequestOptions = {}) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(listener.redirectUri);
      http
        .request({ hostname, port, path, ...options }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject)
        .end();
    });

  it('rule 10: takes one answer of the browser, and no second one', async () => {
    const { pathname } = new URL(listener.redirectUri);
    const answer = listener.answer(new AbortController().signal);
    assert.equal(await status(`${pathname}?code=c&state=s`), 200);
    assert.equal((await answer).get('code'), 'c');
    assert.equal(await status(`${pathname}?code=d&state=s`), 403);
  });

  it('rule 6: a page of a stranger reaches nothing: host, origin, path and method are looked at', async () => {
    const { pathname, host } = new URL(listener.redirectUri);
    const secret = `${pathname}?code=c`;
    assert.equal(await status('/'), 403);
    assert.equal(await status(`${pathname}x?code=c`), 403);
    assert.equal(await status(secret, { headers: { host: 'evil.example' } }), 403);
    assert.equal(
      await status(secret, { headers: { host: host.replace('127.0.0.1', 'localhost') } }),
      403,
    );
    assert.equal(await status(secret, { headers: { origin: 'https://evil.example' } }), 403);
    assert.equal(await status(secret, { headers: { origin: 'null' } }), 403);
    assert.equal(
      await status(secret, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      }),
      403,
    );
    assert.equal(await status(secret, { method: 'POST' }), 403);
    assert.match(listener.redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/u);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const answer = listener.answer(stop.signal);
    stop.abort();
    await assert.rejects(answer, { name: 'AbortError' });
  });
});

describe('the consent to servers of a workspace', () => {
  it('rules 2 and 5: no trust, no question; one question a definition; a no is not asked again until it is reconsidered', async () => {
    const asked: string[] = [];
    let given: readonly string[] = [];
    let trusted = false;
    let answer = false;
    const consent = new ServerConsent({
      trusted: () => trusted,
      given: () => given,
      keep: async (hashes) => {
        given = hashes;
      },
      ask: async ({ hash }) => {
        asked.push(hash);
        return answer;
      },
    });
    const start = (hash: string) => consent.mayStart({ name: 'x', hash, summary: 'x' });
    assert.equal(await start('a'), false);
    assert.deepEqual(asked, []);
    trusted = true;
    assert.equal(await start('a'), false);
    assert.equal(await start('a'), false);
    assert.deepEqual(asked, ['a']);
    answer = true;
    consent.reconsider();
    assert.equal(await start('a'), true);
    assert.equal(await start('a'), true);
    assert.equal(await start('b'), true);
    assert.deepEqual(asked, ['a', 'a', 'b']);
    trusted = false;
    assert.equal(await start('a'), false);
  });
});

import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { environmentProxies, type Proxies, proxiedSend } from '../../../src/hosts/node/proxies.ts';
import { ConnectionError } from '../../../src/providers/http/client.ts';
import { failureOfThrown } from '../../../src/providers/http/refusal/failures.ts';
import { Tunnel } from '../../support/tunnel.ts';

const AT = {
  model: 'm',
  baseUrl: 'https://models.corp.example',
  tools: [],
  now: 0,
  api: 'Chat Completions',
  setting: 'belay.model.baseUrl',
};
/** Made for each request: other files may run for minutes after this one is loaded. */
const waiting = (): AbortSignal => AbortSignal.timeout(30_000);

/** Why a request fails, as the user reads it. */
async function reasonOf(url: string, proxies: Proxies): Promise<string> {
  try {
    await proxiedSend(proxies)(new URL(url), { method: 'GET', headers: {}, signal: waiting() });
    return '';
  } catch (thrown) {
    return failureOfThrown(thrown, {
      at: AT,
      rules: [],
      signal: new AbortController().signal,
      inBody: false,
    }).message;
  }
}

describe('proxies of a process without a window', () => {
  const servers: http.Server[] = [];
  const listen = async (status: number): Promise<string> => {
    const server = http.createServer((_, response) => response.writeHead(status).end('hi'));
    server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  after(() => {
    for (const server of servers) server.close();
  });

  it('uses a proxy without a scheme, under any of the usual names', async () => {
    await using tunnel = await Tunnel.to(`http://${await listen(200)}`);
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY', 'http.proxy']) {
      const send = proxiedSend({ [name]: new URL(tunnel.url).host });
      const url = new URL('http://models.corp.invalid/v1');
      assert.equal(
        (await send(url, { method: 'GET', headers: {}, signal: waiting() })).status,
        200,
        name,
      );
    }
    assert.deepEqual(tunnel.asked, Array(5).fill('models.corp.invalid:80'));
  });

  for (const value of [
    'socks5://me:pass-word@127.0.0.1:1',
    'http://',
    'http://127.0.0.1:99999',
    'a b',
    'http://me:pass/word@127.0.0.1:1',
    'http://%zz:pass-word@127.0.0.1:1',
  ])
    it(`refuses requests while HTTPS_PROXY is “${value}”, and keeps the password to itself`, async () => {
      const reason = await reasonOf('https://models.corp.invalid', { HTTPS_PROXY: value });
      assert.match(reason, /^Nothing was sent to models\.corp\.invalid: .* in HTTPS_PROXY can't/u);
      assert.doesNotMatch(reason, /pass|word@/u);
    });

  it('names the proxy that cannot be reached, not the host of the model', async () => {
    for (const url of ['https://models.corp.invalid', 'http://models.corp.invalid']) {
      const reason = await reasonOf(url, { all_proxy: 'me:pass-word@127.0.0.1:1' });
      assert.match(reason, /through the proxy http:\/\/127\.0\.0\.1:1 failed \(ECONNREFUSED\)/u);
      assert.match(reason, /the proxy in all_proxy/u);
      assert.doesNotMatch(reason, /models\.corp|pass-word/u);
    }
  });

  it('names the variable of a proxy that requires a login', async () => {
    const proxy = await listen(407);
    for (const url of ['https://models.corp.invalid', 'http://models.corp.invalid']) {
      const reason = await reasonOf(url, { all_proxy: proxy });
      assert.match(reason, /^The proxy http:\/\/127\S+ requires a login\. .* into all_proxy /u);
    }
  });

  it('asks hosts of NO_PROXY, their subdomains and this machine directly', async () => {
    // Nothing goes out: the requests are stopped already, and a refusal comes before that.
    const stopped = AbortSignal.abort();
    for (const [exceptions, url, isDirect] of [
      ['corp.invalid', 'https://models.corp.invalid', true],
      ['other.example, .CORP.invalid', 'https://Models.corp.invalid', true],
      ['*.corp.invalid', 'https://models.corp.invalid', true],
      ['a.example *', 'https://models.corp.invalid', true],
      ['corp.invalid:8443', 'https://models.corp.invalid:8443', true],
      ['corp.invalid:443', 'https://models.corp.invalid', true],
      ['corp.invalid:8443', 'https://models.corp.invalid', false],
      ['corp.invalid', 'https://notcorp.invalid', false],
      ['models.corp.invalid', 'https://corp.invalid', false],
      ['', 'http://127.0.0.1:1', true],
      ['', 'http://localhost:1', true],
      ['', 'http://[::1]:1', true],
      ['::2', 'http://[::2]:1', true],
      ['[::2]:1', 'http://[::2]:1', true],
      ['10.1.0.0/16', 'http://10.1.2.3', true],
      ['10.1.0.0/16', 'http://10.2.2.3', false],
      ['fd00::/8', 'http://[fd12::1]', true],
      ['10.1.0.0/99', 'http://10.1.2.3', false],
    ] as const) {
      const send = proxiedSend({ all_proxy: 'ftp://x', no_proxy: exceptions });
      const sent = send(new URL(url), { method: 'GET', headers: {}, signal: stopped });
      await assert.rejects(
        sent,
        { name: isDirect ? 'AbortError' : 'BelayError' },
        `${exceptions} ${url}`,
      );
    }
  });

  it('reads small letters first, and an empty variable as no proxy', () => {
    const environment = { https_proxy: '', HTTPS_PROXY: 'http://a.example', PATH: '/bin' };
    assert.deepEqual(environmentProxies(environment), {
      https_proxy: '',
      HTTPS_PROXY: 'http://a.example',
    });
  });

  it('names NODE_EXTRA_CA_CERTS for a certificate that is not trusted', () => {
    const cause = Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    const read = (thrown: unknown): string =>
      failureOfThrown(thrown, {
        at: AT,
        rules: [],
        signal: new AbortController().signal,
        inBody: false,
      }).message;
    assert.match(read(new ConnectionError(cause)), /not trusted .* NODE_EXTRA_CA_CERTS/u);
    assert.doesNotMatch(read(new ConnectionError(cause)), /systemCertificates/u);
    assert.match(read(cause), /http\.systemCertificates/u);
  });
});

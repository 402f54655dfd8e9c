import assert from 'node:assert/strict';
import type http from 'node:http';
import { gzipSync } from 'node:zlib';
import { HostMemory } from '../../../src/core/permissions/network/allowed-hosts.ts';
import { HIDDEN } from '../../../src/core/secrets/secret-book.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeWeb } from '../../../src/hosts/node/web/node-web.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../../support/model-server/turn.ts';
import { LocalPages } from '../../support/web/local-pages.ts';

const html =
  (text: string): http.RequestListener =>
  (_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(text);

/** Waits a hundredth of what is asked for: how long it waits between two tries is shown with the policy. */
class QuickClock extends SystemClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms / 100, signal);
  }
}

/** Runs a session in which the model fetches the addresses, one a turn; gives what it read and what was asked. */
async function fetchAll(
  urls: readonly string[],
  say2: (title: string) => boolean = () => true,
  mode = 'ask',
) {
  await using test = await TestEngine.open({
    script: inOrder(
      ...urls.map((url) => calls(call('use_tool', { tool: 'fetch_url', input: { url } }))),
      say('done'),
    ),
    settings: { 'permissions.mode': mode, 'advanced.toolRetryDelaySeconds': 1 },
    host: { web: new NodeWeb(), clock: new QuickClock() },
  });
  test.human.decide = async ({ title }) => ({ allowed: say2(title) });
  const { sessionId } = await test.run('look it up');
  const messages = await test.messages(sessionId);
  const results = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );
  return {
    texts: results.map(({ content }) =>
      content.map((one) => (one.type === 'text' ? one.text : '')).join(''),
    ),
    states: results.map(({ state }) => state),
    retries: results.map(({ retries }) => retries),
    questions: test.human.approvals.map(({ title, detail, reason }) => ({ title, detail, reason })),
  };
}

describe('fetch_url', function suite() {
  this.timeout(60_000);

  it('rule 6: two questions, not one: may the host be contacted, may the model read what it sent', async () => {
    await using pages = await LocalPages.open(
      html(
        '<title>Doc</title><nav>menu</nav><main><h1>Title</h1><p>Text <img src="http://127.0.0.1:9/x"></p></main>',
      ),
    );
    const { texts, questions } = await fetchAll([pages.at('/a'), pages.at('/b')]);
    assert.equal(questions.length, 2, JSON.stringify(questions));
    assert.match(questions[0]?.detail ?? '', /\/a$/u);
    assert.match(questions[0]?.reason ?? '', /A request goes to the host 127\.0\.0\.1/u);
    assert.match(questions[1]?.title ?? '', /Let the model read what 127\.0\.0\.1/u);
    assert.match(questions[1]?.detail ?? '', /text\/html, \d+ bytes, \d+ characters[\s\S]*Title/u);
    assert.match(texts[0] ?? '', /Title\n+Text/u);
    assert.doesNotMatch(texts[0] ?? '', /menu|127\.0\.0\.1:9/u);
    assert.equal(texts.length, 2);
  });

  for (const [status, code] of [
    [429, 'asks for fewer requests'],
    [503, 'cannot answer at the moment'],
  ] as const)
    it(`C1: an answer with HTTP ${status} may pass: it is tried again, and the card keeps how often`, async () => {
      let asked = 0;
      await using pages = await LocalPages.open((request, response) => {
        asked += 1;
        const fails = request.url === '/never' || asked <= 2;
        response.writeHead(fails ? status : 200, { 'content-type': 'text/plain' }).end('the page');
      });
      const { texts, states, retries } = await fetchAll([pages.at('/a'), pages.at('/never')]);
      assert.deepEqual(states, ['done', 'failed']);
      assert.match(texts[0] ?? '', /the page/u);
      assert.match(texts[1] ?? '', new RegExp(code, 'u'));
      assert.deepEqual(retries, [2, 3]);
      assert.equal(asked, 3 + 4);
    });

  it('rule 6: without the first yes nothing is sent, without the second nothing is read', async () => {
    await using pages = await LocalPages.open(html('<p>poison</p>'));
    const first = await fetchAll([pages.at('/a')], () => false);
    assert.deepEqual(first.states, ['denied']);
    assert.equal(pages.seen.length, 0);
    const second = await fetchAll([pages.at('/a')], (title) => !title.startsWith('Let the model'));
    assert.equal(pages.seen.length, 1);
    assert.equal(second.states[0], 'failed');
    assert.doesNotMatch(second.texts.join(''), /poison/u);
  });

  it('rule 6: a redirect to another host is not followed, in any mode; one within the host is', async () => {
    await using evil = await LocalPages.open(html('stolen'));
    await using pages = await LocalPages.open((request, response) => {
      if (request.url === '/here') response.writeHead(302, { location: '/there' }).end();
      else if (request.url === '/there') html('<p>arrived</p>')(request, response);
      else response.writeHead(302, { location: evil.at('/?d=x') }).end();
    });
    for (const mode of ['ask', 'edit', 'plan']) {
      const { texts, questions } = await fetchAll(
        [pages.at('/out'), pages.at('/here')],
        undefined,
        mode,
      );
      assert.match(texts[0] ?? '', /a place that nobody was asked about/u);
      assert.match(texts[1] ?? '', /arrived/u);
      assert.ok(questions.length > 0, mode);
    }
    assert.equal(evil.seen.length, 0);
  });

  it('no cookies, no credentials, one fixed user agent', async () => {
    await using pages = await LocalPages.open((request, response) => {
      response.setHeader('set-cookie', 'id=1');
      html('<p>x</p>')(request, response);
    });
    await fetchAll([pages.at('/a'), pages.at('/b')]);
    for (const { headers } of pages.seen) {
      assert.equal(headers['user-agent'], 'Belay');
      assert.deepEqual(Object.keys(headers).toSorted(), [
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
    }
  });

  it('reads charsets and packed bodies, refuses what is not text, hides secrets and hidden characters', async () => {
    await using pages = await LocalPages.open((request, response) => {
      switch (request.url) {
        case '/latin':
          response.setHeader('content-type', 'text/plain; charset=iso-8859-1');
          response.end(Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
          return;
        case '/gzip':
          response.setHeader('content-encoding', 'gzip');
          response.setHeader('content-type', 'application/json');
          response.end(gzipSync('{"packed":true}'));
          return;
        case '/binary':
          response.setHeader('content-type', 'application/octet-stream');
          response.end(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
          return;
        case '/image':
          response.setHeader('content-type', 'image/png');
          response.end('x');
          return;
        default:
          html('<p>key sk-ant-api03-abcdefgh and \u{e0061}\u{e0062}</p>')(request, response);
      }
    });
    const { texts } = await fetchAll(
      ['/latin', '/gzip', '/binary', '/image', '/page'].map((path) => pages.at(path)),
    );
    const [latin, gzip, binary, image, page] = texts;
    assert.match(latin ?? '', /grün/u);
    assert.match(gzip ?? '', /"packed":true/u);
    assert.match(binary ?? '', /is not text/u);
    assert.match(image ?? '', /is not text/u);
    assert.ok(page?.includes(HIDDEN));
    assert.match(page ?? '', /2 hidden tag characters/u);
  });
});

describe('requests of plain Node', () => {
  const get = (web: NodeWeb, url: string, more: object = {}) =>
    web.get({
      url: new URL(url),
      trusted: false,
      signal: new AbortController().signal,
      maxBytes: 1000,
      timeoutMs: 5000,
      follow: () => true,
      ...more,
    });
  const refusal = (error: unknown) => error instanceof BelayError && error.code === 'permission';

  it('rule 6: a name that leads inside is not contacted; the name is resolved once', async () => {
    await using pages = await LocalPages.open(html('inside'));
    const answers = [['93.184.216.34', '127.0.0.1'], ['10.0.0.1'], ['::ffff:127.0.0.1']];
    for (const addresses of answers) {
      let lookups = 0;
      const web = new NodeWeb((_host, callback) => {
        lookups += 1;
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      });
      await assert.rejects(get(web, `http://rebind.example:${pages.port}/`), refusal);
      assert.equal(lookups, 1);
    }
    assert.equal(pages.seen.length, 0);
  });

  it('rule 6: the connection goes to the address that was judged, not to a second answer', async () => {
    await using pages = await LocalPages.open(html('<p>ok</p>'));
    let lookups = 0;
    const web = new NodeWeb((_host, callback) => {
      lookups += 1;
      callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    });
    const answer = await get(web, `http://wiki.example:${pages.port}/`, { trusted: true });
    assert.equal(answer.kind, 'page');
    assert.equal(lookups, 1);
  });

  it('rule 6: each hop is judged, also by where it leads', async () => {
    await using pages = await LocalPages.open((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    await assert.rejects(get(new NodeWeb(), pages.at('/')), refusal);
  });

  it('is bounded in bytes, in time and in hops, and packed bodies are measured unpacked', async () => {
    await using pages = await LocalPages.open((request, response) => {
      if (request.url === '/big') response.end('x'.repeat(10_000));
      else if (request.url === '/bomb') {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(Buffer.alloc(20_000_000)));
      } else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    });
    for (const path of ['/big', '/bomb']) {
      const answer = await get(new NodeWeb(), pages.at(path));
      assert.ok(answer.kind === 'page' && answer.cut && answer.body.length === 1000);
    }
    const code = (wanted: string) => (error: unknown) =>
      error instanceof BelayError && error.code === wanted;
    await assert.rejects(get(new NodeWeb(), pages.at('/loop')), code('network'));
    await assert.rejects(
      get(new NodeWeb(), pages.at('/never'), { timeoutMs: 50 }),
      code('timeout'),
    );
    await assert.rejects(get(new NodeWeb(), 'http://127.0.0.1:1/'), code('network'));
  });

  it('what was allowed for one session is not allowed for another', () => {
    const hosts = new HostMemory({ always: () => [], never: () => [] });
    hosts.contacted('one', new URL('https://a.example/x'));
    assert.equal(hosts.allowed('one').session.size, 1);
    assert.equal(hosts.allowed('two').session.size, 0);
  });
});

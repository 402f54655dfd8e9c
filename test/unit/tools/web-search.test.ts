import assert from 'node:assert/strict';
import type http from 'node:http';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeWeb } from '../../../src/hosts/node/web/node-web.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../../support/model-server/turn.ts';
import { LocalPages } from '../../support/web/local-pages.ts';

/** Waits a hundredth of what is asked for. */
class QuickClock extends SystemClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms / 100, signal);
  }
}

const KEY = 'key-of-the-service-0123456789abcdef';

interface Searching {
  readonly service?: string;
  /** For SearXNG; absent: the server's own. */
  readonly url?: string;
  readonly key?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly says?: boolean;
  readonly query?: string;
  readonly more?: Parameters<typeof calls>;
}

async function search(answer: http.RequestListener, searching: Searching = {}) {
  await using server = await LocalPages.open(answer);
  const { service = 'searxng', key, says = true, query = 'good words', more = [] } = searching;
  await using test = await TestEngine.open({
    script: inOrder(
      calls(call('web_search', { query, count: 3 })),
      ...more.map((one) => calls(one)),
      say('done'),
    ),
    settings: {
      'permissions.mode': 'ask',
      'advanced.toolRetryDelaySeconds': 1,
      'webSearch.service': service,
      'webSearch.url': searching.url ?? (service === 'searxng' ? server.at('/sx/') : ''),
      ...searching.settings,
    },
    host: {
      web: new NodeWeb(),
      clock: new QuickClock(),
      webSearch: {
        key: async () => Promise.resolve(key),
        // Only what puts the engine together can say so: no setting, no file, no model.
        origin: (of) => (of === 'searxng' ? undefined : server.at('')),
      },
    },
  });
  test.human.decide = async () => Promise.resolve({ allowed: says });
  const { sessionId, end } = await test.run('look it up');
  const results = (await test.messages(sessionId)).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );
  const offered = test.server.requests[0]?.body.tools?.map(({ name }) => name) ?? [];
  return {
    end,
    offered,
    seen: server.seen,
    sent: JSON.stringify(test.server.requests.map(({ body }) => body)),
    states: results.map(({ state }) => state),
    retries: results[0]?.retries,
    display: results[0]?.display,
    text: results[0]?.content.map((one) => (one.type === 'text' ? one.text : '')).join('') ?? '',
    questions: test.human.approvals.map(({ title, reason = '' }) => ({ title, reason })),
  };
}

const json =
  (value: unknown): http.RequestListener =>
  (_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

const HITS = [
  { title: 'First <b>page</b>', url: 'https://a.example/x', content: 'About\nit\u202e <script>' },
  { title: '', url: 'https://b.example/', description: 'Words', content: 'Words' },
  { title: 'No page', url: 'javascript:alert(1)', content: 'x' },
  { title: 'No page', url: 'https://user:pass@c.example/', content: 'x' },
  { title: 'Third', url: 'https://c.example/', content: 'y'.repeat(5000) },
  { title: 'Fourth', url: 'https://d.example/' },
];

describe('web_search', function suite() {
  this.timeout(120_000);

  it('A17: a SearXNG server of one’s own is asked, on loopback, too; results are few, short, pages only, and rows of the card', async () => {
    const { text, states, seen, display, questions } = await search(json({ results: HITS }));
    assert.deepEqual(states, ['done'], text);
    assert.equal(seen[0]?.url, '/sx/search?q=good+words&format=json');
    assert.match(
      text,
      /^\[Results of 127\.0\.0\.1:\d+ for "good words"\. [^\]]*data, not an instruction/u,
    );
    assert.match(text, /1\. First page\nhttps:\/\/a\.example\/x\nAbout it/u);
    assert.match(text, /2\. b\.example\n/u);
    assert.doesNotMatch(text, /javascript|pass@|Fourth|\u202e|<script/u);
    assert.ok(text.length < 2000, `${text.length}`);
    assert.deepEqual(display, {
      kind: 'web_search',
      results: [
        { title: 'First page', url: 'https://a.example/x' },
        { title: 'b.example', url: 'https://b.example/' },
        { title: 'Third', url: 'https://c.example/' },
      ],
    });
    assert.match(questions[0]?.title ?? '', /Let the model read what 127\.0\.0\.1/u);
    assert.equal(questions.length, 1);
  });

  it('rule 6: what the person does not let it read is not read', async () => {
    const { text, states, sent } = await search(json({ results: HITS }), { says: false });
    assert.deepEqual(states, ['failed']);
    assert.match(text, /did not let you read/u);
    assert.doesNotMatch(sent, /First page/u);
  });

  for (const [service, answer, check] of [
    [
      'brave',
      { web: { results: HITS } },
      ({ url, headers }: LocalPages['seen'][number]) =>
        url === '/res/v1/web/search?q=good+words&count=3' &&
        headers['x-subscription-token'] === KEY,
    ],
    [
      'tavily',
      { results: HITS },
      ({ url, headers }: LocalPages['seen'][number]) =>
        url === '/search' && headers.authorization === `Bearer ${KEY}`,
    ],
  ] as const) {
    it(`A17: ${service} is asked with its key, which gets nowhere else`, async () => {
      const found = await search(json(answer), { service, key: KEY });
      assert.deepEqual(found.states, ['done'], found.text);
      assert.match(found.text, /b\.example[\s\S]*Third/u);
      assert.ok(found.seen[0] !== undefined && check(found.seen[0]), JSON.stringify(found.seen));
      assert.doesNotMatch(found.sent, new RegExp(KEY, 'u'));
    });

    it(`E11: ${service} without a key is no tool`, async () => {
      const { offered, seen } = await search(json(answer), { service });
      assert.ok(!offered.includes('web_search'));
      assert.equal(seen.length, 0);
    });
  }

  it('E11: without an address there is no tool; with one there is', async () => {
    assert.ok(!(await search(json({}), { url: '' })).offered.includes('web_search'));
    assert.ok((await search(json({ results: [] }))).offered.includes('web_search'));
  });

  for (const status of [429, 503])
    it(`C1: HTTP ${status} may pass: it is tried again`, async () => {
      let asked = 0;
      const { states, retries } = await search((request, response) => {
        asked += 1;
        if (asked < 3) response.writeHead(status).end('busy');
        else json({ results: HITS })(request, response);
      });
      assert.deepEqual([states, retries, asked], [['done'], 2, 3]);
    });

  it('C1: a connection that breaks is tried again, too', async () => {
    let asked = 0;
    const { states, text } = await search((request, response) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      else json({ results: HITS })(request, response);
    });
    assert.deepEqual(states, ['done'], text);
  });

  it('rule 6: a redirect to another place is not followed, and the key does not go there', async () => {
    await using evil = await LocalPages.open(json({ results: HITS }));
    const { text, states } = await search(
      (_, response) => response.writeHead(302, { location: evil.at('/') }).end(),
      { service: 'brave', key: KEY },
    );
    assert.deepEqual(states, ['failed']);
    assert.match(text, /sends the search on to another place/u);
    assert.equal(evil.seen.length, 0);
  });

  for (const [what, listener, said] of [
    ['JSON is not allowed', (_, response) => response.writeHead(403).end('no'), /search\.formats/u],
    ['it is a page', (_, response) => response.end('<html>'), /no results that can be read/u],
    ['there is nothing', json({ results: [] }), /Nothing was found/u],
    ['it is of another form', json({ results: 'x' }), /no results that can be read/u],
  ] as const satisfies readonly (readonly [string, http.RequestListener, RegExp])[])
    it(`says when ${what}`, async () => {
      const { text, questions } = await search(listener);
      assert.match(text, said);
      assert.equal(questions.length, 0);
    });

  for (const url of ['http://169.254.169.254/', 'http://metadata.google.internal/'])
    it(`rule 6: ${url} is never contacted, whoever named it`, async () => {
      const { text, states } = await search(json({}), { url });
      assert.deepEqual(states, ['failed']);
      assert.match(text, /no tool may contact it/u);
    });

  it('a host that the person denies is not contacted', async () => {
    const { states, seen } = await search(json({ results: HITS }), {
      settings: { 'permissions.rules': [{ effect: 'deny', host: '127.0.0.1' }] },
    });
    assert.notDeepEqual(states, ['done']);
    assert.equal(seen.length, 0);
  });

  it('A12: what is remembered after a search asks first; a secret in the words of one, too', async () => {
    const remembered = await search(json({ results: HITS }), {
      more: [call('remember', { text: 'The site wants this.', scope: 'workspace' })],
    });
    assert.match(remembered.questions.at(-1)?.reason ?? '', /web_search/u);
    const leaking = await search(json({ results: HITS }), {
      query: `what is ${['ghp', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('')}`,
    });
    assert.match(leaking.questions[0]?.reason ?? '', /contains a secret/u);
  });
});

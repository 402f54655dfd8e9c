import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { checkInstance } from '../../../src/providers/check-instance.ts';
import type { CheckParts, InstanceCheck } from '../../../src/providers/check-instance.ts';
import { readInstances } from '../../../src/providers/instances-setting.ts';

type Answer = readonly [status: number, body: unknown, type?: string];

/** What a server says to a list and to a message; a wrong key is told first. */
interface Server {
  readonly list: Answer;
  readonly message: (body: { readonly tools?: unknown }) => Answer;
  /** Lists for everybody. */
  readonly open?: boolean;
}

const WIRES = ['chat', 'messages'] as const;
type WireName = (typeof WIRES)[number];

const LISTED: Answer = [200, { data: [{ id: 'm-1', context_length: 64_000 }, { id: 'm-2' }] }];
const refusal = (status: number, error: object): Answer => [status, { type: 'error', error }];

/** A small answer in the form of a wire. */
const answer = (wire: WireName): Answer => {
  const chunks =
    wire === 'chat'
      ? [
          { choices: [{ index: 0, delta: { content: 'ok' } }] },
          { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        ]
      : [
          { type: 'message_start', message: { id: 'x', model: 'm-1', usage: { input_tokens: 1 } } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: 1 },
          },
          { type: 'message_stop' },
        ];
  const lines = chunks.map((one) =>
    wire === 'chat'
      ? `data: ${JSON.stringify(one)}\n\n`
      : `event: ${(one as { type: string }).type}\ndata: ${JSON.stringify(one)}\n\n`,
  );
  return [200, lines.join('') + (wire === 'chat' ? 'data: [DONE]\n\n' : ''), 'text/event-stream'];
};

async function bodyOf(request: IncomingMessage): Promise<{ tools?: unknown }> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text === '' ? {} : (JSON.parse(text) as { tools?: unknown });
}

function send(response: ServerResponse, [status, body, type = 'application/json']: Answer): void {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Tries a provider at a scripted server; gives what was found and what was asked. */
async function tried(
  wire: WireName,
  script: Server | 'silent',
  key: string | undefined,
  more: Partial<CheckParts> & { readonly needsKey?: boolean } = {},
): Promise<InstanceCheck & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(`${request.method} ${request.url}`);
    if (script === 'silent') return;
    const isList = request.method === 'GET';
    const good = request.headers.authorization === 'Bearer good-key-1' || more.needsKey === false;
    const body = await bodyOf(request);
    if (!good && !(isList && script.open === true))
      send(response, refusal(401, { type: 'authentication_error', message: 'bad key' }));
    else send(response, isList ? script.list : script.message(body));
  };
  const server = createServer((request, response) => void answered(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entry = { wire, baseUrl, name: 'Box', ...(more.needsKey === false ? { key: 'none' } : {}) };
  const [instance] = readInstances({ box: entry }).instances;
  assert.ok(instance);
  const { needsKey: _, ...parts } = more;
  const found = await checkInstance(instance, key, {
    clock: new SystemClock(),
    signal: AbortSignal.timeout(20_000),
    ask: 'always',
    ...parts,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.doesNotMatch(found.said, /good-key-1|bad-key-1/, 'a key is in what is said');
  return { ...found, asked };
}

for (const wire of WIRES) {
  const works: Server = { list: LISTED, message: () => answer(wire) };

  describe(`the check of a connection: ${wire}`, function () {
    this.timeout(60_000);

    it('says what works in one sentence', async () => {
      const { state, said, models } = await tried(wire, works, 'good-key-1', { model: 'm-1' });
      assert.equal(state, 'works');
      assert.match(
        said,
        /^Box \(127\.0\.0\.1:\d+\) accepts the key\. It lists 2 models\. It answers with m-1: tools work, images, no thinking, a window of 64,000 tokens, price unknown\.$/,
      );
      assert.deepEqual(
        models.map(({ id }) => id),
        ['m-1', 'm-2'],
      );
    });

    it('asks for no answer where the list tells that the key is good, and for one where it does not', async () => {
      const listed = await tried(wire, works, 'good-key-1', { ask: 'if_needed' });
      assert.equal(listed.state, 'works');
      assert.ok(
        listed.asked.every((one) => one.startsWith('GET')),
        listed.asked.join(),
      );
      const open = { ...works, open: true };
      const proven = await tried(wire, open, 'good-key-1', { ask: 'if_needed' });
      assert.equal(proven.state, 'works');
      assert.equal(proven.asked.filter((one) => one.startsWith('POST')).length, 1);
      const wrong = await tried(wire, open, 'bad-key-1', { ask: 'if_needed' });
      assert.equal(wrong.state, 'key');
      const keyless = await tried(wire, works, undefined, { ask: 'if_needed', needsKey: false });
      assert.equal(keyless.state, 'works');
      assert.match(keyless.said, /^Box \(.*\) answers\. It lists 2 models\. It has m-1: images/);
    });

    it('a server without tools is told, and works', async () => {
      const toolless: Server = {
        list: LISTED,
        message: ({ tools }) =>
          tools === undefined
            ? answer(wire)
            : refusal(400, {
                type: 'invalid_request_error',
                message: 'm-1 does not support tools',
              }),
      };
      const { state, said } = await tried(wire, toolless, 'good-key-1');
      assert.equal(state, 'works');
      assert.match(said, /no tools, so Belay can only talk/);
    });

    it('a server that lists nothing is asked for an answer; without a model it is unclear', async () => {
      const bare: Server = { ...works, list: [404, {}] };
      const named = await tried(wire, bare, 'good-key-1', { model: 'm-1' });
      assert.equal(named.state, 'works');
      const unnamed = await tried(wire, bare, 'good-key-1');
      assert.deepEqual([unnamed.state, unnamed.asked.length], ['unclear', 1]);
      assert.match(unnamed.said, /name one that it has/);
    });

    const said: readonly (readonly [reason: string, message: Answer, words: RegExp])[] = [
      [
        'permission',
        refusal(403, { type: 'permission_error', message: 'not for you' }),
        /may not use m-1 at Box.*HTTP 403.*“not for you”.*another model/,
      ],
      [
        'model',
        refusal(404, { type: 'not_found_error', message: 'model: m-1' }),
        /accepts the key, but has no model m-1.*one of the 2 that it lists/,
      ],
      [
        'credit',
        refusal(402, { type: 'billing_error', message: 'no credit' }),
        /accepts the key, but its account has no credit or quota left \(HTTP 402\)/,
      ],
      [
        'credit',
        refusal(429, { type: 'rate_limit_error', code: 'insufficient_quota', message: 'quota' }),
        /no credit or quota left \(HTTP 429\)/,
      ],
      [
        'credit',
        refusal(429, { type: 'rate_limit_error', message: 'slow down' }),
        /a limit of requests or tokens is reached \(HTTP 429\)/,
      ],
      ['wire', [200, '<html>hi</html>', 'text/html'], /There is no .* API at http.*web page/],
      ['wire', [405, {}], /There is no .* API at http.*HTTP 405/],
      ['other', refusal(418, { message: 'a teapot' }), /refused a small request.*a teapot/],
    ];
    for (const [reason, message, words] of said)
      it(`${reason}: ${message[0]}`, async () => {
        const script = { list: LISTED, message: () => message };
        const found = await tried(wire, script, 'good-key-1', { model: 'm-1' });
        assert.equal(found.state, reason, found.said);
        assert.match(found.said, words);
      });

    it('key: refused, or none where one is wanted', async () => {
      const refused = await tried(wire, works, 'bad-key-1');
      assert.deepEqual([refused.state, refused.asked.length], ['key', 1]);
      assert.match(refused.said, /does not accept the key \(HTTP 401\)/);
      const page: Server = { ...works, list: [200, '<html>log in</html>', 'text/html'] };
      assert.equal((await tried(wire, page, 'bad-key-1', { model: 'm-1' })).state, 'key');
    });

    it('unreachable, not trusted, a proxy that wants a login, too slow', async () => {
      const failing = (thrown: Error) => async () => Promise.reject(thrown);
      const because = (code: string) =>
        new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
      for (const [code, reason, words] of [
        ['ECONNREFUSED', 'unreachable', /cannot be reached \(ECONNREFUSED\)/],
        ['ENOTFOUND', 'unreachable', /cannot be reached \(ENOTFOUND\)/],
        ['DEPTH_ZERO_SELF_SIGNED_CERT', 'proxy', /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/],
        ['ERR_SSL_WRONG_VERSION_NUMBER', 'proxy', /not trusted/],
        ['UND_ERR_HEADERS_TIMEOUT', 'slow', /did not answer in time/],
      ] as const) {
        const { state, said: words_ } = await tried(wire, works, 'good-key-1', {
          fetch: failing(because(code)),
        });
        assert.equal(state, reason, words_);
        assert.match(words_, words);
      }
      const silent = await tried(wire, 'silent', 'good-key-1', { limit: 200 });
      assert.equal(silent.state, 'slow', silent.said);
      // As undici says it for a tunnel; an answer with 407 itself gives `fetch` no words.
      const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
      const login = new TypeError('fetch failed', { cause });
      const proxy = await tried(wire, works, 'good-key-1', { fetch: failing(login) });
      assert.equal(proxy.state, 'proxy');
      assert.match(proxy.said, /proxy of the network wants a login/);
    });
  });
}

import assert from 'node:assert/strict';
import type { Provider } from '../../src/core/model-call/model-call.ts';
import type { FailureCode } from '../../src/domain/failure.ts';
import {
  callContext,
  composedCall,
  modelRequest,
  outcomeOf,
  shownText,
  user,
} from '../support/model-call.ts';
import { fail, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';
import { players, waits } from './harness.ts';

const rateLimit = (headers: Record<string, string> = {}): Turn =>
  fail(429, 'rate_limit_error', 'This request would exceed your rate limit.', { headers });
const overloaded = fail(529, 'overloaded_error', 'Overloaded');

/** A second provider with one model, `other-model`. */
const other: Provider = {
  id: 'other',
  models: () => [
    {
      id: 'other-model',
      name: 'Other',
      provider: 'other',
      contextWindow: 8000,
      maxOutputTokens: 1000,
      thinking: false,
      vision: false,
      toolChoice: false,
    },
  ],
  async *call() {
    yield {
      type: 'complete',
      answer: {
        parts: [{ type: 'text', text: 'From the other.' }],
        finish: 'end_turn',
        model: 'other-model',
      },
    };
  },
};

describe('HTTP faults', () => {
  const { play, serve } = players();

  it('h01: 429 with retry-after waits what the header says, visibly', async () => {
    const before = Date.now();
    const outcome = await play(inOrder(rateLimit({ 'retry-after-ms': '120' }), say('Fine.')));
    const event = outcome.emitted.find(({ type }) => type === 'model.waiting');
    assert.ok(event?.type === 'model.waiting');
    assert.equal(event.reason, 'The rate limit is reached (HTTP 429)');
    assert.ok(
      event.until >= before + 120 && event.until < before + 5000,
      'the countdown ends when the header says',
    );
    assert.ok(Date.now() >= before + 120);
    assert.equal(shownText(outcome.events), 'Fine.');
  });

  it('h01: the countdown can be cancelled', async () => {
    const server = await serve({ script: () => rateLimit({ 'retry-after': '60' }) });
    const stop = new AbortController();
    const { call } = composedCall({ baseUrl: server.url });
    const context = callContext(stop.signal);
    const running = outcomeOf(call, modelRequest(), {
      ...context,
      emit: (event) => (context.emit(event), stop.abort()),
    });
    assert.equal((await running).failure?.code, 'canceled');
    assert.equal(server.requests.length, 1);
  });

  it('h02: 429 without retry-after, three times, is tried with growing waits', async () => {
    const outcome = await play(inOrder(rateLimit(), rateLimit(), rateLimit(), say('Fine.')));
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.deepEqual(
      waits(outcome).map(({ attempt }) => attempt),
      [1, 2, 3],
    );
  });

  it('h03: 429 with a retry-after of an hour stops at once, says until when and offers another model', async () => {
    const outcome = await play(() => rateLimit({ 'retry-after': '3600' }));
    assert.equal(outcome.server.requests.length, 1);
    assert.equal(outcome.failure?.code, 'rate_limited');
    assert.equal(outcome.failure.retryAfterMs, 3_600_000);
    assert.ok(Number(outcome.failure.details?.['until']) > Date.now() + 3_500_000);
    assert.match(outcome.failure.message, /kept.*until \d.*Choose Model/);
  });

  it('h03: with a fallback the next model answers instead of an hour of waiting', async () => {
    const outcome = await play(
      () => rateLimit({ 'retry-after': '3600' }),
      {},
      { composed: { more: [other], settings: { 'model.fallbacks': ['other/other-model'] } } },
    );
    assert.equal(outcome.answer?.model, 'other/other-model');
  });

  it('h04: 529 twice is tried again', async () => {
    assert.equal(
      shownText((await play(inOrder(overloaded, overloaded, say('Fine.')))).events),
      'Fine.',
    );
  });

  it('h04: after the last try another model is offered, or answers when it is configured (A11)', async () => {
    const alone = await play(() => overloaded);
    assert.equal(alone.server.requests.length, 4);
    assert.match(alone.failure?.message ?? '', /overloaded.*kept.*Choose Model.*tried 4 times/);

    const chained = await play(
      (request) => (request.model === 'claude-opus-5' ? say('Opus here.') : overloaded),
      {},
      { composed: { settings: { 'model.fallbacks': ['claude-opus-5'] } } },
    );
    assert.equal(chained.answer?.model, 'claude-opus-5');
    const event = chained.emitted.find(({ type }) => type === 'model.fallback');
    assert.ok(event?.type === 'model.fallback');
    assert.deepEqual(
      [event.from, event.to, event.failure.code],
      ['claude-sonnet-5-5', 'claude-opus-5', 'overloaded'],
    );
  });

  for (const [id, turn] of [
    ['h05', fail(500, 'api_error', 'Internal server error')],
    ['h06', fail(504, 'timeout_error', 'Timed out')],
    ['h25', fail(409, 'conflict_error', 'Conflict')],
    ['h25', fail(408, 'timeout_error', 'Request timeout')],
    ['h25', { error: { status: 524, body: 'error code: 524', contentType: 'text/plain' } }],
  ] as const) {
    it(`${id}: ${turn.error?.status} is tried again`, async () => {
      const outcome = await play(inOrder(turn, say('Fine.')));
      assert.equal(shownText(outcome.events), 'Fine.');
      assert.equal(outcome.server.requests[0]?.text, outcome.server.requests[1]?.text);
    });
  }

  const FINAL: readonly (readonly [string, Turn, FailureCode, RegExp])[] = [
    [
      'h07',
      fail(401, 'authentication_error', 'invalid x-api-key'),
      'auth',
      /127\.0\.0\.1:\d+ does not accept the API key.*kept.*“Belay: Set API Key”/,
    ],
    [
      'h08',
      fail(403, 'permission_error', 'No access to this model', {
        headers: { 'anthropic-workspace-id': 'wrkspc_7' },
      }),
      'permission',
      /may not use claude-sonnet-5-5 in the workspace wrkspc_7.*No access.*kept.*“Belay: Choose Model”/,
    ],
    [
      'h09',
      fail(404, 'not_found_error', 'model: claude-sonnet-5-5'),
      'model_not_found',
      /no model named claude-sonnet-5-5.*kept.*“Belay: Choose Model”/,
    ],
    [
      'h09',
      { error: { status: 404, body: '<html>nothing here</html>', contentType: 'text/html' } },
      'config',
      /no Messages API at http.*belay\.model\.baseUrl/,
    ],
    [
      'h10',
      fail(402, 'billing_error', 'Payment required'),
      'billing',
      /refuses to bill.*kept.*plan and credit/,
    ],
    [
      'h10',
      fail(
        400,
        'invalid_request_error',
        'Your credit balance is too low to access the Anthropic API.',
      ),
      'billing',
      /refuses to bill/,
    ],
    [
      'h12',
      fail(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'context_overflow',
      /longer than claude-sonnet-5-5 can take.*kept.*\/compact/,
    ],
    [
      'h24',
      fail(400, 'invalid_request_error', 'florp: unexpected glimble'),
      'api',
      /refused the request \(HTTP 400\): florp: unexpected glimble.*kept/,
    ],
  ];
  for (const [id, turn, code, sentence] of FINAL) {
    it(`${id}: ${turn.error?.status} is ${code}, asked once, with a sentence that says what to do`, async () => {
      const outcome = await play(() => turn);
      assert.equal(outcome.failure?.code, code);
      assert.match(outcome.failure.message, sentence);
      assert.match(outcome.failure.message, /\(Request req_\d+\)$/);
      assert.equal(outcome.failure.requestId, 'req_000001');
      assert.equal(outcome.server.requests.length, 1);
      assert.equal(waits(outcome).length, 0);
    });
  }

  it('h07: a missing key is told before anything is sent', async () => {
    const { call } = composedCall({
      baseUrl: '',
      apiKey: ' ',
      fetch: () => Promise.reject(new Error('nothing may be sent')),
    });
    const outcome = await outcomeOf(call, modelRequest());
    assert.equal(outcome.failure?.code, 'auth');
    assert.match(outcome.failure.message, /no API key.*“Belay: Set API Key”.*demo/);
  });

  it("h10: the public API's billing page is named", async () => {
    const refuse: typeof fetch = () =>
      Promise.resolve(
        Response.json(
          { type: 'error', error: { type: 'billing_error', message: 'x' } },
          { status: 402 },
        ),
      );
    const { call } = composedCall({ baseUrl: '', fetch: refuse });
    assert.match(
      (await outcomeOf(call, modelRequest())).failure?.message ?? '',
      /https:\/\/platform\.claude\.com\/settings\/billing/,
    );
  });

  it('h12: the numbers of an overflow are passed on, for compaction', async () => {
    const outcome = await play(() =>
      fail(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    );
    const { promptTokens, limit } = outcome.failure?.details ?? {};
    assert.deepEqual([promptTokens, limit], [210_000, 200_000]);
  });

  it('h12: the server refuses a really long prompt so', async () => {
    const outcome = await play(
      () => say('never'),
      { messages: [user('x'.repeat(50_000))] },
      { server: { limits: { contextWindow: 10_000 } } },
    );
    assert.equal(outcome.failure?.code, 'context_overflow');
  });

  it('h13: max_tokens is lowered from the numbers in the message, and the answer comes', async () => {
    const outcome = await play((request) =>
      request.max_tokens > 11_760
        ? fail(
            400,
            'invalid_request_error',
            `input length and \`max_tokens\` exceed context limit: 188240 + ${request.max_tokens} > 200000, decrease input length or \`max_tokens\` and try again`,
          )
        : say('Shorter.'),
    );
    assert.equal(shownText(outcome.events), 'Shorter.');
    assert.deepEqual(
      outcome.server.requests.map(({ body }) => body.max_tokens),
      [128_000, 11_760],
    );
    assert.equal(waits(outcome).length, 0, 'a repair is no retry');
  });

  it('h13: when no room is left it is an overflow, for compaction', async () => {
    const outcome = await play(() =>
      fail(
        400,
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 199900 + 128000 > 200000, decrease input length or `max_tokens` and try again',
      ),
    );
    assert.equal(outcome.failure?.code, 'context_overflow');
    assert.equal(outcome.server.requests.length, 1);
  });

  it('h13: the same repair is tried once, not for ever', async () => {
    const outcome = await play((request) =>
      fail(
        400,
        'invalid_request_error',
        `input length and \`max_tokens\` exceed context limit: 100000 + ${request.max_tokens} > 200000`,
      ),
    );
    assert.equal(outcome.failure?.code, 'context_overflow');
    assert.deepEqual(
      outcome.server.requests.map(({ body }) => body.max_tokens),
      [128_000, 100_000],
    );
  });

  it('h13: an output limit that the catalog has wrong is learned once', async () => {
    const server = await serve({ script: () => say('Fine.'), limits: { maxOutputTokens: 8192 } });
    const { call } = composedCall({ baseUrl: server.url });
    await outcomeOf(call, modelRequest());
    await outcomeOf(call, modelRequest());
    assert.deepEqual(
      server.requests.map(({ body }) => body.max_tokens),
      [128_000, 8192, 8192],
    );
  });

  it('x-should-retry: false is believed', async () => {
    const outcome = await play(() =>
      fail(500, 'api_error', 'No.', { headers: { 'x-should-retry': 'false' } }),
    );
    assert.equal(outcome.server.requests.length, 1);
  });
});

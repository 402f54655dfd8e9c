import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  composedCall,
  callContext,
  modelRequest,
  outcomeOf,
  shownText,
} from '../support/model-call.ts';
import { calls, call, inOrder, say } from '../support/model-server/turn.ts';
import { discards, players, waits } from './harness.ts';

const HTML =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    server.close(() => resolve(port));
  });
  return promise;
}

describe('faults of the transport', () => {
  const { play, serve } = players();

  it('t01: a refused connection is tried again with growing waits, then says what to do', async () => {
    const { call: ask } = composedCall({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const outcome = await outcomeOf(ask, modelRequest());
    assert.equal(outcome.failure?.code, 'network');
    assert.match(
      outcome.failure.message,
      /cannot be reached \(ECONNREFUSED\).*kept.*belay\.model\.baseUrl.*tried 4 times/,
    );
    assert.deepEqual(
      waits(outcome).map(({ attempt }) => attempt),
      [1, 2, 3],
    );
  });

  it('t01: a reset before the headers is tried again with the same history', async () => {
    const outcome = await play(inOrder({ cut: { how: 'reset', at: 'headers' } }, say('Fine.')));
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(outcome.server.requests[0]?.text, outcome.server.requests[1]?.text);
    assert.equal(
      waits(outcome)[0]?.reason,
      `The connection to ${outcome.server.url} was lost (ECONNRESET)`,
    );
  });

  it('t02: no headers at all runs into the first-byte deadline and is tried again', async () => {
    const outcome = await play(
      inOrder({ cut: { how: 'hang', at: 'headers' } }, say('Fine.')),
      {},
      { composed: { settings: { 'advanced.firstByteTimeoutSeconds': 0.15 } } },
    );
    assert.equal(outcome.answer?.parts.length, 1);
    assert.equal(waits(outcome)[0]?.reason, 'The model did not answer in time');
  });

  it('t02: waiting for the headers can be cancelled', async () => {
    const server = await serve({ script: () => ({ cut: { how: 'hang', at: 'headers' } }) });
    const stop = new AbortController();
    const { call: ask } = composedCall({ baseUrl: server.url });
    const running = outcomeOf(ask, modelRequest(), callContext(stop.signal));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    const outcome = await running;
    assert.equal(outcome.failure?.code, 'canceled');
    assert.equal(waits(outcome).length, 0, 'a stop is no failure to try again');
  });

  it('t03: a 502 with a web page is tried again; the page is never shown', async () => {
    const outcome = await play(() => ({
      error: { status: 502, body: HTML, contentType: 'text/html' },
    }));
    assert.equal(outcome.server.requests.length, 4);
    assert.equal(outcome.failure?.code, 'overloaded');
    assert.doesNotMatch(JSON.stringify(outcome.failure), /<|nginx/);
  });

  it('t04: a login page instead of an answer is recognized, and not asked again', async () => {
    const outcome = await play(() => ({ body: { text: HTML, contentType: 'text/html' } }));
    assert.equal(outcome.failure?.code, 'bad_response');
    assert.match(outcome.failure.message, /web page.*proxy or a login page.*kept/);
    assert.equal(outcome.server.requests.length, 1);
  });

  it('t04: a login page is recognized whatever it calls itself', async () => {
    for (const contentType of ['text/plain', 'application/octet-stream', '']) {
      const outcome = await play(() => ({ body: { text: `\n  ${HTML}`, contentType } }));
      assert.equal(outcome.failure?.code, 'bad_response', contentType);
    }
  });

  it('t04: a login page is recognized before it ends', async () => {
    const endless: typeof fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(HTML)) }),
          { headers: { 'content-type': 'text/html' } },
        ),
      );
    const { call: ask } = composedCall({ baseUrl: 'http://127.0.0.1:1', fetch: endless });
    assert.equal((await outcomeOf(ask, modelRequest())).failure?.code, 'bad_response');
  });

  it('t05: a whole JSON message is accepted although a stream was asked for', async () => {
    const text = JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      stop_reason: 'tool_use',
      stop_sequence: null,
      content: [
        { type: 'text', text: 'Whole.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
      ],
      usage: {
        input_tokens: 5,
        output_tokens: 7,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: 2,
      },
    });
    const outcome = await play(() => ({ body: { text, contentType: 'application/json' } }));
    assert.deepEqual(outcome.answer, {
      parts: [
        { type: 'text', text: 'Whole.' },
        { type: 'tool_call', id: 'toolu_1', name: 'read', input: { path: 'a' } },
      ],
      finish: 'tool_use',
      usage: { inputTokens: 5, outputTokens: 7, cacheReadTokens: 2, cacheWriteTokens: 0 },
      model: 'claude-x',
    });
    assert.equal(shownText(outcome.events), 'Whole.');
  });

  it('t05: a JSON error with status 200 is classified like one with its own status', async () => {
    const text = JSON.stringify({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    });
    const outcome = await play(
      inOrder({ body: { text, contentType: 'application/json' } }, say('Fine.')),
    );
    assert.equal(shownText(outcome.events), 'Fine.');
  });

  it('t05: errors in the form of other APIs are errors', async () => {
    const text = JSON.stringify({ error: { message: 'Busy.', type: 'overloaded_error', code: 5 } });
    const whole = await play(
      inOrder({ body: { text, contentType: 'application/json' } }, say('Fine.')),
    );
    assert.equal(shownText(whole.events), 'Fine.');
    const streamed = await play(
      inOrder(
        { body: { text: `data: ${text}\n\n`, contentType: 'text/event-stream' } },
        say('Fine.'),
      ),
    );
    assert.equal(shownText(streamed.events), 'Fine.');
    assert.equal(waits(streamed)[0]?.reason, 'The model is overloaded');
  });

  it('t05: JSON that is no message is not taken for an empty answer', async () => {
    const outcome = await play(() => ({
      body: { text: '{"ok":true}', contentType: 'application/json' },
    }));
    assert.equal(outcome.failure?.code, 'bad_response');
  });

  it('t06: the key never follows a redirect to another origin', async () => {
    const thief = await serve({ script: () => say('Thank you.') });
    for (const status of [301, 302, 303, 307, 308]) {
      const outcome = await play(() => ({ redirect: { to: `${thief.url}/v1/messages`, status } }));
      assert.equal(outcome.failure?.code, 'bad_response');
      assert.match(
        outcome.failure.message,
        new RegExp(`${thief.url}.*API key.*belay\\.model\\.baseUrl`),
      );
      assert.equal(outcome.server.requests.length, 1);
    }
    assert.deepEqual(thief.all, []);
  });

  it('t06: a redirect within the origin is followed once, with key and body', async () => {
    const server = await serve({
      script: inOrder({ redirect: { to: '/moved/v1/messages' } }, say('Moved.')),
    });
    const { call: ask } = composedCall({ baseUrl: server.url });
    assert.equal(shownText((await outcomeOf(ask, modelRequest())).events), 'Moved.');
    assert.equal(server.requests[1]?.path, '/moved/v1/messages');
    assert.equal(server.requests[1]?.text, server.requests[0]?.text);

    server.use(() => ({ redirect: { to: '/round/v1/messages' } }));
    assert.equal((await outcomeOf(ask, modelRequest())).failure?.code, 'bad_response');
  });

  it('t06: a redirect that begins after good answers is not followed elsewhere either, and is told of', async () => {
    const thief = await serve({ script: () => say('Thank you.') });
    const server = await serve({ script: () => say('Good.') });
    const { call: ask } = composedCall({ baseUrl: server.url });
    assert.equal(shownText((await outcomeOf(ask, modelRequest())).events), 'Good.');
    for (const to of [`${thief.url}/v1/messages`, '/round/v1/messages']) {
      server.use(() => ({ redirect: { to } }));
      const { failure } = await outcomeOf(ask, modelRequest());
      assert.equal(failure?.code, 'bad_response');
      assert.match(failure.message, /API key.*belay\.model\.baseUrl/);
      server.use(() => say('Good.'));
      assert.equal(shownText((await outcomeOf(ask, modelRequest())).events), 'Good.');
    }
    server.use(inOrder({ redirect: { to: '/moved/v1/messages' } }, say('Moved.')));
    assert.equal(shownText((await outcomeOf(ask, modelRequest())).events), 'Moved.');
    assert.deepEqual(thief.all, []);
  });

  it('t01: an untrusted certificate is not tried again', async () => {
    const refuse: typeof fetch = () =>
      Promise.reject(
        new TypeError('fetch failed', {
          cause: Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
        }),
      );
    const { call: ask } = composedCall({ baseUrl: 'https://127.0.0.1:1', fetch: refuse });
    const outcome = await outcomeOf(ask, modelRequest());
    assert.match(outcome.failure?.message ?? '', /certificate.*DEPTH_ZERO_SELF_SIGNED_CERT/);
    assert.equal(waits(outcome).length, 0);
  });

  it('E6: nothing of a discarded attempt is in the answer', async () => {
    const outcome = await play(
      inOrder(
        { ...calls(call('run', { command: 'rm' })), cut: { how: 'reset', at: { events: 5 } } },
        say('Second.'),
      ),
    );
    assert.equal(discards(outcome), 1);
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text: 'Second.' }]);
  });
});

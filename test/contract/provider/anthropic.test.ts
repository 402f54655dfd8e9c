import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import {
  callContext,
  composedCall,
  modelRequest,
  outcomeOf,
  user,
} from '../../support/model-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { startModelServer } from '../../support/model-server/server.ts';
import type { ModelServer } from '../../support/model-server/server.ts';
import { call, say } from '../../support/model-server/turn.ts';
import type { Script } from '../../support/model-server/turn.ts';
import { providerContract } from './provider-contract.ts';

const TOOL = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

const script: Script = ({ messages }) =>
  JSON.stringify(messages.at(-1)).includes('Use tools.')
    ? {
        content: [
          { type: 'thinking', thinking: 'Which files?' },
          { type: 'text', text: 'I read both.' },
          call('read_file', { path: 'a' }),
          call('read_file', { path: 'b' }),
        ],
      }
    : say('Hello. This answer comes in several pieces, one after the other.', { gapMs: 1 });

providerContract('Anthropic Messages API', async () => {
  const server = await startModelServer({ script });
  const { provider } = composedCall({ baseUrl: server.url });
  return {
    provider,
    textRequest: modelRequest({ tools: [TOOL] }),
    toolRequest: modelRequest({ tools: [TOOL], messages: [user('Use tools.')], thinking: 'low' }),
    close: () => server.close(),
  };
});

describe('Anthropic provider', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer({
      script,
      apiKey: 'secret',
      models: [
        {
          id: 'claude-new-9',
          type: 'model',
          display_name: 'Claude New 9',
          max_input_tokens: 77_000,
          max_tokens: 7000,
        },
        {
          id: 'claude-opus-5',
          type: 'model',
          display_name: 'Opus!',
          max_input_tokens: null,
          max_tokens: null,
        },
      ],
    });
  });
  afterEach(() => server.close());

  it('C12: counts tokens at the API', async () => {
    const { provider } = composedCall({ baseUrl: server.url, apiKey: 'secret' });
    const short = await provider.countTokens?.(modelRequest(), new AbortController().signal);
    const long = await provider.countTokens?.(
      modelRequest({ messages: [user('word '.repeat(1000))] }),
      new AbortController().signal,
    );
    assert.ok(short !== undefined && long !== undefined && long > short + 1000);
    assert.equal(server.all[0]?.path, '/v1/messages/count_tokens');
  });

  it('C12: a server that cannot count is no failure; a stop is', async () => {
    const { provider } = composedCall({ baseUrl: `${server.url}/nowhere`, apiKey: 'wrong' });
    assert.equal(
      await provider.countTokens?.(modelRequest(), new AbortController().signal),
      undefined,
    );
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(
      async () => provider.countTokens?.(modelRequest(), stop.signal),
      (thrown) => thrown instanceof BelayError && thrown.code === 'canceled',
    );
  });

  it('D6: lists the models of the server, with what it says of them', async () => {
    const { provider } = composedCall({ baseUrl: server.url, apiKey: 'secret' });
    const models = await provider.fetchModels?.(new AbortController().signal);
    assert.deepEqual(
      models?.map(({ id, name, contextWindow, maxOutputTokens }) => [
        id,
        name,
        contextWindow,
        maxOutputTokens,
      ]),
      [
        ['claude-new-9', 'Claude New 9', 77_000, 7000],
        ['claude-opus-5', 'Opus!', 1_000_000, 128_000],
      ],
    );
    const refused = composedCall({ baseUrl: server.url, apiKey: 'wrong' }).provider;
    await assert.rejects(
      async () => refused.fetchModels?.(new AbortController().signal),
      (thrown) => thrown instanceof BelayError && thrown.code === 'auth',
    );
  });

  for (const [given, path] of [
    ['', '/v1/messages'],
    ['/', '/v1/messages'],
    ['/v1', '/v1/messages'],
    ['/v1/', '/v1/messages'],
    ['/anthropic', '/anthropic/v1/messages'],
    ['/anthropic/v1/messages', '/anthropic/v1/messages'],
  ] as const) {
    it(`a base URL that ends in “${given}” works`, async () => {
      const { call: ask } = composedCall({ baseUrl: server.url + given, apiKey: 'secret' });
      assert.ok((await outcomeOf(ask, modelRequest())).answer);
      assert.equal(server.requests[0]?.path, path);
    });
  }

  it('the key goes in both headers that servers know, and nowhere else', async () => {
    const { call: ask } = composedCall({ baseUrl: server.url, apiKey: 'secret' });
    await outcomeOf(ask, modelRequest());
    const [request] = server.requests;
    assert.ok(request !== undefined);
    const { headers, text } = request;
    assert.deepEqual([headers['x-api-key'], headers.authorization], ['secret', 'Bearer secret']);
    assert.equal(text.includes('secret'), false);
  });

  it('a local server is asked without a key when there is none', async () => {
    const { call: ask } = composedCall({ baseUrl: server.url, apiKey: '' });
    const { failure } = await outcomeOf(ask, modelRequest());
    assert.equal(failure?.code, 'auth');
    const { headers } = server.all[0] ?? { headers: {} };
    assert.deepEqual(['x-api-key' in headers, 'authorization' in headers], [false, false]);
  });

  it('a new key counts from the next call on', async () => {
    let key = 'old';
    const clock = new SystemClock();
    const catalog = createCatalog({ offered: ['anthropic'] });
    const provider = createAnthropicProvider({
      apiKey: () => Promise.resolve(key),
      baseUrl: () => server.url,
      cacheTtl: () => '5m',
      catalog,
      clock,
    });
    assert.equal((await outcomeOf(provider.call, modelRequest())).failure?.code, 'auth');
    key = 'secret';
    assert.ok((await outcomeOf(provider.call, modelRequest())).answer);
  });

  it('connections are kept: ten calls need no more than two', async () => {
    const { call: ask } = composedCall({ baseUrl: server.url, apiKey: 'secret' });
    for (let turn = 0; turn < 10; turn += 1)
      assert.ok((await outcomeOf(ask, modelRequest())).answer);
    assert.ok(server.connections <= 2, `${server.connections} connections`);
  });

  it('a stop closes the connection of the call', async () => {
    server.use(() => say('x'.repeat(10_000), { gapMs: 50 }));
    const stop = new AbortController();
    const { provider } = composedCall({ baseUrl: server.url, apiKey: 'secret' });
    for await (const event of provider.call(modelRequest(), callContext(stop.signal))) {
      if (event.type === 'delta') stop.abort();
    }
    const deadline = Date.now() + 5000;
    while (server.requests[0]?.status === undefined && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.notEqual(server.requests[0]?.status, undefined, 'the server saw the end');
  });
});

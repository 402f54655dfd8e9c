import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import type { Provider } from '../../../src/core/model-call/model-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import { message, modelRequest, outcomeOf, shownText, user } from '../../support/model-call.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import { providerContract } from './provider-contract.ts';
import { callsOf, contractRequests, IMAGE, resultsOf } from './wire-rig.ts';

// A server that others wrote, for every wire that it has: they read the same documents with other eyes.

const messages = (url: string): Provider =>
  createAnthropicProvider({
    apiKey: async () => Promise.resolve('key'),
    baseUrl: () => url,
    cacheTtl: () => '5m',
    catalog: createCatalog({ offered: ['anthropic'] }),
    clock: new SystemClock(),
  });

const WIRES = [
  { name: 'Messages', model: 'claude-sonnet-4-5', make: messages },
  { name: 'Chat Completions', model: 'gpt-4o', make: (url: string) => chatProvider(`${url}/v1`) },
  { name: 'Responses', model: 'gpt-4o', make: (url: string) => responsesProvider(`${url}/v1`) },
  {
    name: 'Gemini',
    model: 'gemini-2.5-pro',
    make: (url: string) => geminiProvider(`${url}/v1beta`),
  },
] as const;

async function started(): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 5, latency: 2 });
  mock.on(
    { predicate: ({ messages }) => messages.some(({ role }) => role === 'tool') },
    { content: 'Both are read.' },
  );
  mock.onMessage('Use tools.', {
    content: 'I read both.',
    toolCalls: [
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'read_file', arguments: '{"path":"b \\u00e9\\ud83d\\ude00"}' },
    ],
  });
  mock.onMessage('Think.', { content: 'So be it.', reasoning: 'First this, then that.' });
  mock.onMessage('Fail.', {
    error: { message: 'Try later.', type: 'rate_limit_error' },
    status: 429,
  });
  mock.onMessage('Hello', {
    content: 'Hello. This answer comes in several pieces, ä\u{1F600}.',
    usage: { prompt_tokens: 12, completion_tokens: 7, input_tokens: 12, output_tokens: 7 },
  });
  await mock.start();
  return mock;
}

for (const { name, model, make } of WIRES) {
  providerContract(`${name}, served by aimock`, async () => {
    const mock = await started();
    return {
      provider: make(mock.url),
      ...contractRequests(model),
      close: async () => mock.stop(),
    };
  });

  describe(`${name}, served by aimock`, () => {
    let mock: LLMock;
    before(async () => {
      mock = await started();
    });
    after(async () => mock.stop());

    it('text arrives whole, with usage', async () => {
      const outcome = await outcomeOf(make(mock.url).call, contractRequests(model).textRequest);
      assert.equal(
        shownText(outcome.events),
        'Hello. This answer comes in several pieces, ä\u{1F600}.',
      );
      assert.equal(outcome.answer?.usage?.outputTokens, 7);
    });

    it('two calls, their results and a picture go back, and are answered', async () => {
      const { call } = make(mock.url);
      const { toolRequest } = contractRequests(model);
      const first = await outcomeOf(call, toolRequest);
      assert.deepEqual(
        callsOf(first).map(({ input }) => input['path']),
        ['a', 'b é\u{1F600}'],
      );
      const results = resultsOf(first.answer?.parts ?? []).map((one, index) =>
        index === 0 ? { ...one, content: [...one.content, IMAGE] } : one,
      );
      const second = await outcomeOf(call, {
        ...toolRequest,
        messages: [
          ...toolRequest.messages,
          message('assistant', first.answer?.parts ?? []),
          message('tool', results),
        ],
      });
      assert.equal(second.failure, undefined);
      assert.ok(second.answer);
    });

    it('thinking is told apart from the answer', async () => {
      const { answer } = await outcomeOf(
        make(mock.url).call,
        modelRequest({ model, thinking: 'low', messages: [user('Think.')] }),
      );
      assert.deepEqual(
        answer?.parts
          .filter(({ type }) => type === 'text')
          .map((part) => 'text' in part && part.text),
        ['So be it.'],
      );
    });

    it('a limit is a limit', async () => {
      const { failure } = await outcomeOf(
        make(mock.url).call,
        modelRequest({ model, messages: [user('Fail.')] }),
      );
      assert.equal(failure?.code, 'rate_limited');
    });
  });
}

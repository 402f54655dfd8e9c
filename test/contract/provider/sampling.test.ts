import assert from 'node:assert/strict';
import type { ModelCall, ModelRequest } from '../../../src/core/model-call/model-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { chatSay, refusal, startChatServer } from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import { geminiSay, startGeminiServer } from '../../support/gemini-server/gemini-server.ts';
import { modelRequest, outcomeOf } from '../../support/model-call.ts';
import { startModelServer } from '../../support/model-server/server.ts';
import { fail, say } from '../../support/model-server/turn.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import {
  responsesError,
  sayItems,
  startResponsesServer,
} from '../../support/responses-server/responses-server.ts';

const SAMPLING = { temperature: 0.2, topP: 0.9 };
const UNKNOWN = "Unsupported parameter: 'temperature' is not supported with this model.";

const bodies = (server: {
  readonly requests: readonly { readonly body: object }[];
}): readonly Readonly<Record<string, unknown>>[] =>
  server.requests.map(({ body }) => body as Readonly<Record<string, unknown>>);

describe('E12: temperature and top_p', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  const ask = async (call: ModelCall, more: Partial<ModelRequest> = {}) => {
    const { answer, failure, events } = await outcomeOf(
      call,
      modelRequest({ sampling: SAMPLING, ...more }),
    );
    assert.ok(answer, failure?.message);
    return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  };
  const messages = async (script: Parameters<typeof startModelServer>[0]['script']) => {
    const server = await startModelServer({ script });
    open.push(server);
    const { call } = createAnthropicProvider({
      apiKey: async () => Promise.resolve('key'),
      baseUrl: () => server.url,
      cacheTtl: () => '5m',
      catalog: createCatalog({ offered: ['anthropic'] }),
      clock: new SystemClock(),
    });
    return { server, call };
  };

  it('Chat Completions: both; a server that refuses one is asked without, once', async () => {
    const server = await startChatServer({
      strict: false,
      script: (body, n) => ('temperature' in body && n > 1 ? refusal(400, UNKNOWN) : chatSay('x')),
    });
    open.push(server);
    const { call } = chatProvider(server.url);
    for (let turn = 0; turn < 3; turn += 1) await ask(call, { model: 'gpt-x' });
    assert.deepEqual(
      bodies(server).map((body) => [body['temperature'], body['top_p']]),
      [
        [0.2, 0.9],
        [0.2, 0.9],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('Responses: both; a field that is refused is left out, once', async () => {
    const server = await startResponsesServer({
      script: (body) => ('temperature' in body ? responsesError(400, UNKNOWN) : sayItems('x')),
    });
    open.push(server);
    const { call } = responsesProvider(server.url);
    for (let turn = 0; turn < 2; turn += 1) await ask(call, { model: 'gpt-r' });
    assert.deepEqual(
      bodies(server).map((body) => [body['temperature'], body['top_p']]),
      [
        [0.2, 0.9],
        [undefined, 0.9],
        [undefined, 0.9],
      ],
    );
  });

  it('Gemini: both, in its own names', async () => {
    const server = await startGeminiServer({ script: () => geminiSay('x') });
    open.push(server);
    await ask(geminiProvider(server.url).call, { model: 'gemini-g' });
    const { temperature, topP } = server.requests[0]?.body.generationConfig ?? {};
    assert.deepEqual([temperature, topP], [0.2, 0.9]);
  });

  it('Messages: one of them, to a model that does not think now', async () => {
    const { server, call } = await messages(() => say('x'));
    const model = 'claude-haiku-4-5';
    await ask(call, { model });
    await ask(call, { model, sampling: { topP: 0.9 } });
    await ask(call, { model, thinking: 'low' });
    assert.deepEqual(
      bodies(server).map((body) => [body['temperature'], body['top_p']]),
      [
        [0.2, undefined],
        [undefined, 0.9],
        [undefined, undefined],
      ],
    );
  });

  it('only temperature is sent, and it is said once, where a model takes only one of the two', async () => {
    const both = '`temperature` and `top_p` cannot both be specified for this model. Use only one.';
    const chat = await startChatServer({
      strict: false,
      script: (body) => ('top_p' in body ? refusal(400, both) : chatSay('x')),
    });
    const responses = await startResponsesServer({
      script: (body) => ('top_p' in body ? responsesError(400, both) : sayItems('x')),
    });
    const { server, call } = await messages(() => say('x'));
    open.push(chat, responses);
    for (const [sent, model, asked] of [
      [chat, 'gpt-x', chatProvider(chat.url).call],
      [responses, 'gpt-r', responsesProvider(responses.url).call],
      [server, 'claude-haiku-4-5', call],
    ] as const) {
      const said = [...(await ask(asked, { model })), ...(await ask(asked, { model }))];
      assert.deepEqual(said, [
        `top_p is not sent to ${model} because it takes only one of temperature and top_p.`,
      ]);
      const last = bodies(sent).at(-1);
      assert.deepEqual([last?.['temperature'], last && 'top_p' in last], [0.2, false]);
    }
  });

  it('Messages: a model that refuses it is asked without, once', async () => {
    const { server, call } = await messages((body) =>
      'temperature' in body
        ? fail(400, 'invalid_request_error', '`temperature` is deprecated for this model.')
        : say('x'),
    );
    for (let turn = 0; turn < 2; turn += 1) await ask(call, { model: 'claude-haiku-4-5' });
    assert.equal(server.requests.length, 3);
  });

  it('nothing is sent where nothing is set, and to models that are known to refuse it', async () => {
    const server = await startResponsesServer({ script: () => sayItems('x') });
    open.push(server);
    await ask(responsesProvider(server.url).call, { model: 'gpt-r', sampling: {} });
    const refusing = responsesProvider(server.url, { info: { flags: { temperature: false } } });
    await ask(refusing.call, { model: 'gpt-r' });
    for (const body of bodies(server)) assert.ok(!('temperature' in body) && !('top_p' in body));
  });
});

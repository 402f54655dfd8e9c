import assert from 'node:assert/strict';
import { NO_BUDGET } from '../../support/no-budget.ts';
import { Pictures } from '../../../src/core/model-call/pictures.ts';
import type { ModelCall } from '../../../src/core/model-call/model-call.ts';
import { createModelCall } from '../../../src/compose/order.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import type { Message } from '../../../src/domain/message.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { DEMO_INSTANCE } from '../../../src/providers/demo/demo-model.ts';
import { createDemoProvider } from '../../../src/providers/demo/demo-provider.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { ModelNames } from '../../../src/providers/instance.ts';
import { createRegistry } from '../../../src/providers/registry.ts';
import {
  callDelta,
  chatCalls,
  chunk,
  startChatServer,
} from '../../support/chat-server/chat-server.ts';
import { chatInstance, chatProvider } from '../../support/chat-server/composed-chat.ts';
import { geminiInstance, geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import {
  geminiError,
  geminiParts,
  geminiSay,
  startGeminiServer,
} from '../../support/gemini-server/gemini-server.ts';
import {
  message,
  modelRequest,
  outcomeOf,
  quietLog,
  settingsWith,
  user,
} from '../../support/model-call.ts';
import { startModelServer } from '../../support/model-server/server.ts';
import { signatureOf } from '../../support/model-server/signature.ts';
import { call } from '../../support/model-server/turn.ts';
import {
  responsesInstance,
  responsesProvider,
} from '../../support/responses-server/composed-responses.ts';
import {
  answerOf,
  callItem,
  messageItem,
  reasoningItem,
  responsesError,
  startResponsesServer,
} from '../../support/responses-server/responses-server.ts';
import { resultsOf, TOOL } from './wire-rig.ts';

const CLAUDE = 'claude-sonnet-5';
const LOCAL = 'local/gpt-x';
const OPENAI = 'openai/gpt-r';
const GEMINI = 'gemini/gemini-g';
const DEMO = 'demo';
/** An id that the Messages API would refuse, the same in every answer. */
const STRANGE_ID = 'functions.read_file:0';

const RUN = { name: 'run_command', description: 'Runs.', inputSchema: { type: 'object' } };

/** Waits no longer than it must: the demo pauses between words. */
class HurriedClock extends SystemClock {
  override sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(0, signal);
  }
}

/** The person's words come last in a turn's first request only. */
const asksForTools = (messages: readonly unknown[]): boolean =>
  JSON.stringify(messages.at(-1)).includes('Turn ');

/** Servers that refuse what their APIs would, each thinking before its call in a way of its own. */
async function startServers() {
  const claude = await startModelServer({
    script: ({ messages }, n) => ({
      content: asksForTools(messages)
        ? [
            { type: 'thinking', thinking: `Claude thinks ${n}.` },
            call('read_file', { path: `c${n}` }, `toolu_${n}`),
          ]
        : [{ type: 'text', text: `Claude says ${n}.` }],
    }),
  });
  const local = await startChatServer({
    script: ({ messages }, n) =>
      asksForTools(messages)
        ? chatCalls([callDelta(0, STRANGE_ID, 'read_file', `{"path":"l${n}"}`)], 'stop', [
            chunk({ reasoning_content: `Local thinks ${n}.` }),
          ])
        : {
            chunks: [
              chunk({ content: `Local says ${n}.` }, 'stop', {
                usage: { prompt_tokens: 9, completion_tokens: 4, cost: 0.5 },
              }),
            ],
          },
  });
  const openai = await startResponsesServer({
    script: ({ input }, n) =>
      asksForTools(input)
        ? answerOf([
            reasoningItem(`rs_${n}`, `OpenAI thinks ${n}.`, `Enc/${n}+==`),
            callItem(`fc_${n}`, 'call_same', `{"path":"o${n}"}`),
          ])
        : answerOf([messageItem(`msg_${n}`, `OpenAI says ${n}.`)]),
  });
  const gemini = await startGeminiServer({
    script: ({ contents }, n) =>
      asksForTools(contents)
        ? geminiParts([
            { text: `Gemini thinks ${n}.`, thought: true },
            {
              functionCall: { name: 'read_file', args: { path: `g${n}` } },
              thoughtSignature: `Sig/${n}+==`,
            },
          ])
        : geminiSay(`Gemini says ${n}.`),
  });
  return { claude, local, openai, gemini };
}

/** All wires behind the one model call. */
class AllWires implements AsyncDisposable {
  readonly records: UsageRecord[] = [];
  readonly call: ModelCall;
  readonly servers: Awaited<ReturnType<typeof startServers>>;

  private constructor(servers: Awaited<ReturnType<typeof startServers>>) {
    this.servers = servers;
    const { claude, local, openai, gemini } = servers;
    const clock = new SystemClock();
    const names = new ModelNames([
      { id: 'anthropic', name: 'A', wire: 'messages', baseUrl: claude.url, models: [] },
      chatInstance(local.url),
      responsesInstance(openai.url),
      geminiInstance(gemini.url),
      DEMO_INSTANCE,
    ]);
    const catalog = createNamedCatalog(names);
    const messages = createAnthropicProvider({
      apiKey: async () => Promise.resolve('key'),
      baseUrl: () => claude.url,
      cacheTtl: () => '5m',
      catalog,
      clock,
    });
    const providers = new Map([
      ['anthropic', messages],
      ['local', chatProvider(local.url)],
      ['openai', responsesProvider(openai.url)],
      ['gemini', geminiProvider(gemini.url)],
      ['demo', createDemoProvider({ clock: new HurriedClock() })],
    ]);
    this.call = createModelCall({
      budget: NO_BUDGET,
      registry: createRegistry(names, providers),
      catalog,
      settings: settingsWith({ 'advanced.modelRetries': 0 }),
      clock,
      log: quietLog,
      random: () => 0.5,
      mask: async (request) => request,
      recorded: async () => undefined,
      pictures: new Pictures(undefined, () => undefined),
      onUsage: (record) => {
        if (record.details?.open !== true) this.records.push(record);
      },
    });
  }

  static async open(): Promise<AllWires> {
    return new AllWires(await startServers());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.servers).map((server) => server.close()));
  }

  /** One turn: calls, their results, an answer. Gives the history with what it added. */
  async turn(
    model: string,
    history: readonly Message[],
    number: number,
  ): Promise<readonly Message[]> {
    const asked = model === DEMO ? 'run `npm test`' : `Turn ${number}.`;
    const messages: Message[] = [...history, user(asked)];
    for (let step = 0; step < 5; step += 1) {
      const tools = [TOOL, RUN];
      const { answer, failure } = await outcomeOf(
        this.call,
        modelRequest({ model, messages, tools, thinking: 'low' }),
      );
      assert.ok(answer, `${number}: ${failure?.message}`);
      messages.push(message('assistant', answer.parts, { model: answer.model }));
      const results = resultsOf(answer.parts);
      if (step === 0) assert.ok(results.length > 0, `${number} calls`);
      if (results.length === 0) return messages;
      messages.push(message('tool', results));
    }
    throw new Error(`Turn ${number} does not end.`);
  }
}

/** What each wire gets back of its own thinking after its first turn, and nobody else may see. */
const SECRETS = {
  claude: [
    JSON.stringify({
      type: 'thinking',
      thinking: 'Claude thinks 1.',
      signature: signatureOf('Claude thinks 1.'),
    }),
  ],
  local: ['"reasoning_content":"Local thinks 1."'],
  openai: [
    JSON.stringify(reasoningItem('rs_1', 'OpenAI thinks 1.', 'Enc/1+==')),
    '"fc_1"',
    '"msg_2"',
  ],
  gemini: ['"thoughtSignature":"Sig/1+=="'],
} as const;

describe('a session whose model changes', () => {
  it('at every one of ten turns, through all wires, with thinking and calls: nothing is refused, nothing foreign sent', async () => {
    await using wires = await AllWires.open();
    const models = [CLAUDE, LOCAL, OPENAI, GEMINI, DEMO];
    let history: readonly Message[] = [];
    for (let number = 1; number <= 10; number += 1)
      history = await wires.turn(models[(number - 1) % 5] ?? DEMO, history, number);

    for (const [name, server] of Object.entries(wires.servers)) {
      assert.equal(server.requests.length, 4, `${name}: no request had to be repaired`);
      const text = server.requests.at(-1)?.text ?? '';
      for (const [owner, secrets] of Object.entries(SECRETS)) {
        for (const secret of secrets)
          assert.equal(text.includes(secret), owner === name, `${name}, ${secret}`);
        const other = ['Claude', 'Local', 'OpenAI', 'Gemini'].find(
          (one) => one.toLowerCase() === owner,
        );
        if (owner !== name) assert.equal(text.includes(`${other} thinks`), false);
        assert.ok(text.includes(`${other} says 2.`), `${name} knows what ${owner} said`);
      }
    }
    // The calls of every turn, some of one id: all told apart, each beside its result.
    const { local } = wires.servers;
    const { messages = [] } = local.requests.at(-1)?.body ?? {};
    const calls = messages.flatMap(({ tool_calls: some = [] }) => some);
    assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length);
    assert.ok(calls.length >= 7);
    for (const { id, function: called } of calls) {
      const result = messages.find((one) => one.tool_call_id === id);
      const { path } = JSON.parse(called.arguments) as { path?: string };
      assert.equal(result?.content, `read ${JSON.stringify(path)}`);
    }
  });

  for (const [name, model] of [
    ['local', LOCAL],
    ['openai', OPENAI],
    ['gemini', GEMINI],
  ] as const) {
    it(`what was sent to ${name} once stays the same, byte for byte, when the model comes back`, async () => {
      await using wires = await AllWires.open();
      let history: readonly Message[] = [];
      for (const [index, one] of [model, CLAUDE, model, DEMO, model].entries())
        history = await wires.turn(one, history, index + 1);
      const texts = wires.servers[name].requests.map(({ text }) => text.slice(0, -2));
      assert.equal(texts.length, 6);
      for (const [index, text] of texts.slice(1).entries())
        assert.ok(
          text.startsWith(texts[index] ?? '?'),
          `request ${index + 2} begins as the one before`,
        );
    });
  }

  it('thinking that a server no longer takes is dropped, once, and the session goes on', async () => {
    await using wires = await AllWires.open();
    const { openai, gemini } = wires.servers;
    openai.use(({ input }) =>
      input.some(({ type, id }) => type === 'reasoning' || id !== undefined)
        ? responsesError(400, 'The encrypted content could not be verified.', {
            code: 'invalid_encrypted_content',
          })
        : asksForTools(input)
          ? answerOf([reasoningItem('rs_1', 'Hm.'), callItem('fc_1', 'call_1', '{"path":"o"}')])
          : answerOf([messageItem('msg_1', 'Fine.')]),
    );
    gemini.use(({ contents }) =>
      JSON.stringify(contents).includes('"Sig"')
        ? geminiError(400, 'Thought signature is not valid.')
        : asksForTools(contents)
          ? geminiParts([
              {
                functionCall: { name: 'read_file', args: { path: 'g' } },
                thoughtSignature: 'Sig',
              },
            ])
          : geminiSay('Fine.'),
    );
    for (const [model, server] of [
      [OPENAI, openai],
      [GEMINI, gemini],
    ] as const) {
      const history = await wires.turn(model, [], 1);
      assert.equal(server.requests.length, 3, 'one refusal');
      const { answer } = await outcomeOf(
        wires.call,
        modelRequest({ model, messages: [...history.slice(0, 3), user('And?')], tools: [TOOL] }),
      );
      assert.ok(answer);
      assert.equal(server.requests.length, 4, 'it was remembered');
    }
  });

  it('A8: usage is recorded under the model as it is chosen, with the bill; sums are what the servers told', async () => {
    await using wires = await AllWires.open();
    let history: readonly Message[] = [];
    for (const [index, one] of [LOCAL, OPENAI, GEMINI, OPENAI].entries())
      history = await wires.turn(one, history, index + 1);
    const of = (begin: string) => wires.records.filter(({ model }) => model.startsWith(begin));
    const billed = wires.records.find(({ usage }) => usage.billed !== undefined);
    assert.deepEqual([billed?.model, billed?.cost], ['local/gpt-x-2026', 0.5]);
    for (const [begin, calls] of [
      ['openai/', 4],
      ['gemini/', 2],
    ] as const) {
      const usages = of(begin).map(({ usage }) => usage);
      assert.equal(usages.length, calls);
      const sum = (count: (usage: (typeof usages)[number]) => number) =>
        usages.reduce((total, usage) => total + count(usage), 0);
      assert.equal(
        sum((usage) => usage.inputTokens + usage.cacheReadTokens),
        100 * calls,
      );
      assert.equal(
        sum((usage) => usage.outputTokens),
        20 * calls,
      );
      assert.equal(
        sum((usage) => usage.reasoningTokens ?? 0),
        5 * calls,
      );
    }
  });
});

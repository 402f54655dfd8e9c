import assert from 'node:assert/strict';
import type { ModelCall } from '../../../src/core/model-call/model-call.ts';
import { createModelCall } from '../../../src/compose/order.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import type { Message, ToolResultPart } from '../../../src/domain/message.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { ModelNames } from '../../../src/providers/instance.ts';
import { createRegistry } from '../../../src/providers/registry.ts';
import {
  callDelta,
  chatCalls,
  chunk,
  startChatServer,
} from '../../support/chat-server/chat-server.ts';
import type { ChatServer } from '../../support/chat-server/chat-server.ts';
import { chatInstance, chatProvider } from '../../support/chat-server/composed-chat.ts';
import {
  message,
  modelRequest,
  outcomeOf,
  quietLog,
  settingsWith,
  user,
} from '../../support/model-call.ts';
import { startModelServer } from '../../support/model-server/server.ts';
import type { ModelServer } from '../../support/model-server/server.ts';
import { call } from '../../support/model-server/turn.ts';
import { TOOL } from './chat-rig.ts';

const CLAUDE = 'claude-sonnet-5';
const LOCAL = 'local/gpt-x';
/** An id that the Messages API would refuse, the same in every answer. */
const STRANGE_ID = 'functions.read_file:0';

/** Both wires behind the one model call, each before a server that refuses what its API would. */
class TwoWires implements AsyncDisposable {
  readonly records: UsageRecord[] = [];
  readonly call: ModelCall;
  readonly claude: ModelServer;
  readonly local: ChatServer;

  private constructor(claude: ModelServer, local: ChatServer) {
    this.claude = claude;
    this.local = local;
    const clock = new SystemClock();
    const instance = chatInstance(local.url);
    const names = new ModelNames([
      {
        id: 'anthropic',
        name: 'A',
        wire: 'messages',
        baseUrl: claude.url,
        models: [],
      },
      instance,
    ]);
    const catalog = createNamedCatalog(names);
    const apiKey = async (): Promise<string> => Promise.resolve('key');
    const providers = new Map([
      [
        'anthropic',
        createAnthropicProvider({
          apiKey,
          baseUrl: () => claude.url,
          cacheTtl: () => '5m',
          catalog,
          clock,
        }),
      ],
      ['local', chatProvider(local.url)],
    ]);
    this.call = createModelCall({
      registry: createRegistry(names, providers),
      catalog,
      settings: settingsWith({ 'model.retryAttempts': 0 }),
      clock,
      log: quietLog,
      random: () => 0.5,
      mask: async (request) => request,
      onUsage: (record) => this.records.push(record),
    });
  }

  static async open(): Promise<TwoWires> {
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
    return new TwoWires(claude, local);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.claude.close(), this.local.close()]);
  }
}

/** The person's words come last in a turn's first request only. */
const asksForTools = (messages: readonly unknown[]): boolean =>
  JSON.stringify(messages.at(-1)).includes('Turn ');

/** One turn: a call, its result, an answer. Gives what is added to the history. */
async function turn(wires: TwoWires, model: string, history: readonly Message[], number: number) {
  const messages: Message[] = [...history, user(`Turn ${number}.`)];
  const ask = async () =>
    outcomeOf(wires.call, modelRequest({ model, messages, tools: [TOOL], thinking: 'low' }));
  const first = await ask();
  assert.ok(first.answer, `${number}: ${first.failure?.message}`);
  messages.push(message('assistant', first.answer.parts, { model: first.answer.model }));
  const results = first.answer.parts.flatMap((part): ToolResultPart[] =>
    part.type === 'tool_call'
      ? [
          {
            type: 'tool_result',
            callId: part.id,
            name: part.name,
            state: 'done',
            content: [{ type: 'text', text: `read ${JSON.stringify(part.input['path'])}` }],
          },
        ]
      : [],
  );
  assert.equal(results.length, 1);
  messages.push(message('tool', results));
  const second = await ask();
  assert.ok(second.answer, `${number}: ${second.failure?.message}`);
  messages.push(message('assistant', second.answer.parts, { model: second.answer.model }));
  return messages;
}

describe('a session whose model changes', () => {
  it('at every one of ten turns, between two wires, with thinking and calls: nothing is refused', async () => {
    await using wires = await TwoWires.open();
    let history: readonly Message[] = [];
    for (let number = 1; number <= 10; number += 1)
      history = await turn(wires, number % 2 === 0 ? LOCAL : CLAUDE, history, number);

    assert.equal(wires.claude.requests.length, 10, 'no request had to be repaired');
    assert.equal(wires.local.requests.length, 10, 'no request had to be repaired');
    const last = JSON.stringify(wires.claude.requests.at(-1)?.body.messages);
    assert.ok(last.includes('Claude thinks 1.') && last.includes('Local says 2.'));
    assert.equal(last.includes('Local thinks'), false, "another's thinking is left out");
    const body = wires.local.requests.at(-1)?.body;
    const thoughts = body?.messages.flatMap(({ reasoning_content: text }) => text ?? []);
    assert.deepEqual(
      thoughts,
      [1, 3, 5, 7, 9].map((n) => `Local thinks ${n}.`),
    );
    assert.equal(JSON.stringify(body).includes('Claude thinks'), false);
    // Five calls of one id, and those of the other wire: all told apart, each beside its result.
    const calls = body?.messages.flatMap(({ tool_calls: some = [] }) => some) ?? [];
    assert.equal(new Set(calls.map(({ id }) => id)).size, 10);
    for (const { id, function: called } of calls) {
      const result = body?.messages.find((one) => one.tool_call_id === id);
      const { path } = JSON.parse(called.arguments) as { path: string };
      assert.equal(result?.content, `read ${JSON.stringify(path)}`);
    }
  });

  it('what was sent once stays the same, byte for byte, when the model comes back', async () => {
    await using wires = await TwoWires.open();
    let history: readonly Message[] = [];
    for (const [index, model] of [LOCAL, CLAUDE, LOCAL].entries())
      history = await turn(wires, model, history, index + 1);
    const texts = wires.local.requests.map(({ text }) => text.slice(text.indexOf('"messages":')));
    const ends = texts.map((text) => text.slice(0, -2));
    for (const [index, text] of texts.slice(1).entries())
      assert.ok(
        text.startsWith(ends[index] ?? '?'),
        `request ${index + 2} begins as the one before`,
      );
  });

  it('A8: usage is recorded under the model as it is chosen, with the bill', async () => {
    await using wires = await TwoWires.open();
    await turn(wires, LOCAL, [], 1);
    const billed = wires.records.find(({ usage }) => usage.billed !== undefined);
    assert.deepEqual([billed?.model, billed?.cost], ['local/gpt-x-2026', 0.5]);
    assert.ok(wires.records.every(({ model }) => model.startsWith('local/')));
  });
});

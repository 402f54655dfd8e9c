import assert from 'node:assert/strict';
import type { Part, ToolCallPart } from '../../src/domain/message.ts';
import {
  composedCall,
  message,
  modelRequest,
  outcomeOf,
  shownText,
  user,
} from '../support/model-call.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { players } from './harness.ts';

const toolCalls = (parts: readonly Part[] | undefined): readonly ToolCallPart[] =>
  (parts ?? []).filter((part): part is ToolCallPart => part.type === 'tool_call');
const results = (ids: readonly string[]): Part[] =>
  ids.map((callId) => ({
    type: 'tool_result',
    callId,
    name: 'x',
    state: 'done',
    content: [{ type: 'text', text: 'ok' }],
  }));

describe('faults of tool calls', () => {
  const { play, serve } = players();

  for (const [what, raw] of [
    ['broken JSON', '{"path": "a.txt", "content": '],
    ['JSON with something after it', '{"path": "a.txt"} and so on'],
    ['a list', '["a.txt"]'],
    ['null', 'null'],
    ['a number', '42'],
  ] as const) {
    it(`c01: tool input that is ${what} is kept as {} with a problem for the model`, async () => {
      const outcome = await play(() => calls(call('write_file', raw, 'toolu_1')));
      const [made] = toolCalls(outcome.answer?.parts);
      assert.deepEqual(made?.input, {});
      assert.match(
        made.invalid?.problem ?? '',
        /^The input is not (valid JSON: .+|a JSON object\.)$/,
      );
      assert.equal(made.invalid?.raw, raw);
      assert.equal(
        outcome.server.requests.length,
        1,
        'the model is asked to do better, not asked again blindly',
      );
    });
  }

  it('c01: what is kept of a bad input is bounded', async () => {
    const outcome = await play(() => calls(call('write_file', `{"a":"${'x'.repeat(5000)}`)));
    assert.equal(toolCalls(outcome.answer?.parts)[0]?.invalid?.raw.length, 2000);
  });

  it('c01: a call with bad input can be sent back', async () => {
    const outcome = await play(inOrder(say('Sorry.')), {
      messages: [
        user('Go.'),
        message('assistant', [
          {
            type: 'tool_call',
            id: 'c1',
            name: 'w',
            input: {},
            invalid: { problem: 'p', raw: '{' },
          },
        ]),
        message('tool', results(['c1'])),
      ],
    });
    assert.equal(shownText(outcome.events), 'Sorry.');
  });

  it('c02: tool input that is cut off at max_tokens is not usable, and says to split the work', async () => {
    const outcome = await play(() => ({
      content: [
        { type: 'text', text: 'Writing.' },
        call('write_file', '{"path":"a.txt","content":"half of'),
      ],
      stopReason: 'max_tokens',
    }));
    assert.equal(outcome.answer?.finish, 'max_tokens');
    assert.match(toolCalls(outcome.answer.parts)[0]?.invalid?.problem ?? '', /length limit.*Split/);
  });

  it('c02: a call cut off before its input began is not taken for one without arguments', async () => {
    const cut = await play(() => ({ content: [call('delete_all', '')], stopReason: 'max_tokens' }));
    assert.match(toolCalls(cut.answer?.parts)[0]?.invalid?.problem ?? '', /length limit/);
    const whole = await play(() => ({ content: [call('list', '')], stopReason: 'tool_use' }));
    assert.deepEqual(toolCalls(whole.answer?.parts)[0], {
      type: 'tool_call',
      id: toolCalls(whole.answer?.parts)[0]?.id,
      name: 'list',
      input: {},
    });
  });

  it('c03, c04: empty, wrong and hostile input arrives as data, for the schema check', async () => {
    const hostile =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"n":"1","extra":[1]}';
    const outcome = await play(() => calls(call('a', {}), call('b', hostile)));
    const [empty, bad] = toolCalls(outcome.answer?.parts);
    assert.deepEqual(empty?.input, {});
    assert.ok(bad);
    assert.equal(bad.invalid, undefined);
    assert.equal(Object.hasOwn(bad.input, '__proto__'), true);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.equal((bad.input as { polluted?: boolean }).polluted, undefined);
  });

  it('c05: a tool name that nobody offered arrives as it is, and can be sent back', async () => {
    const outcome = await play(inOrder(calls(call('no.such tool!', {}, 'toolu_1')), say('Oh.')));
    const [made] = toolCalls(outcome.answer?.parts);
    assert.equal(made?.name, 'no.such tool!');
    const server = await serve({ script: () => say('Oh.') });
    const { call: ask } = composedCall({ baseUrl: server.url });
    const back = await outcomeOf(
      ask,
      modelRequest({
        messages: [
          user('Go.'),
          message('assistant', [made]),
          message('tool', results(['toolu_1'])),
        ],
      }),
    );
    assert.equal(shownText(back.events), 'Oh.');
  });

  it('c06: two calls with one id get ids of their own, in the events too', async () => {
    const outcome = await play(() =>
      calls(call('a', { n: 1 }, 'same'), call('b', { n: 2 }, 'same'), call('c', { n: 3 }, '')),
    );
    const made = toolCalls(outcome.answer?.parts);
    assert.equal(new Set(made.map(({ id }) => id)).size, 3);
    assert.ok(made.every(({ id }) => id !== ''));
    const started = outcome.events.flatMap((event) =>
      event.type === 'tool_call_started' ? [event.callId] : [],
    );
    assert.deepEqual(
      started,
      made.map(({ id }) => id),
    );
  });

  it('c08: end_turn with a call: the call decides', async () => {
    const outcome = await play(() => ({ content: [call('read', {})], stopReason: 'end_turn' }));
    assert.equal(outcome.answer?.finish, 'tool_use');
  });

  it('c18: 200 calls in one message arrive, and 200 results go back in one', async () => {
    const many = Array.from({ length: 200 }, (_, n) => call('read', { n }));
    const server = await serve({ script: inOrder({ content: many }, say('All read.')) });
    const { call: ask } = composedCall({ baseUrl: server.url });
    const first = await outcomeOf(ask, modelRequest());
    const made = toolCalls(first.answer?.parts);
    assert.deepEqual(
      made.map(({ input }) => input['n']),
      many.map((_, n) => n),
    );
    const messages = [
      user('Go.'),
      message('assistant', made),
      ...made.map(({ id }) => message('tool', results([id]))),
    ];
    assert.equal(shownText((await outcomeOf(ask, modelRequest({ messages }))).events), 'All read.');
    assert.equal(server.requests[1]?.body.messages.length, 3);
  });

  it('c19: a tool input of 2 MB arrives whole', async () => {
    const content = 'line of text\n'.repeat(160_000);
    const outcome = await play(
      () => ({ ...calls(call('write_file', { path: 'big.txt', content })), deltaSize: 64 }),
      {},
      { server: { record: false } },
    );
    assert.equal(toolCalls(outcome.answer?.parts)[0]?.input['content'], content);
  });

  it('c20: lone surrogates are replaced on the way in and on the way out', async () => {
    const lone = '{"text":"a\\ud83d b","k\\udc00":["\\udfff"],"good":"\\ud83d\\ude00"}';
    const outcome = await play(() => ({ content: [call('write', lone, 'toolu_1')] }));
    assert.deepEqual(toolCalls(outcome.answer?.parts)[0]?.input, {
      text: 'a\ufffd b',
      'k\ufffd': ['\ufffd'],
      good: '😀',
    });
    const bad = message('assistant', [
      { type: 'text', text: 'x\ud800' },
      { type: 'tool_call', id: 'c1', name: 'w', input: { '\udc00': '\ud83d' } },
    ]);
    const result: Part = {
      type: 'tool_result',
      callId: 'c1',
      name: 'w',
      state: 'done',
      content: [{ type: 'text', text: '\udfff' }],
    };
    const sent = await play(() => say('Fine.'), {
      system: ['s\ud800'],
      messages: [user('u\ud800'), bad, message('tool', [result])],
    });
    assert.equal(shownText(sent.events), 'Fine.');
    assert.equal(sent.server.requests.length, 1, 'the server had nothing to refuse');
  });
});

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
import { redacted, signatureOf } from '../support/model-server/signature.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Block, Turn } from '../support/model-server/turn.ts';
import { players, waits } from './harness.ts';

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

describe('faults of the answer', () => {
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

  it('c07: stop_reason tool_use without a call is told as such, with its text', async () => {
    const outcome = await play(() => say('I will now read it.', { stopReason: 'tool_use' }));
    assert.equal(outcome.answer?.finish, 'tool_use');
    assert.deepEqual(outcome.answer.parts, [{ type: 'text', text: 'I will now read it.' }]);
  });

  it('c08: end_turn with a call: the call decides', async () => {
    const outcome = await play(() => ({ content: [call('read', {})], stopReason: 'end_turn' }));
    assert.equal(outcome.answer?.finish, 'tool_use');
  });

  for (const content of [[], [{ type: 'text', text: '' }]] as const) {
    it(`c09: an empty answer (${content.length} blocks) is tried once more, and is never an answer`, async () => {
      const once = await play(inOrder({ content }, say('Here.')));
      assert.equal(shownText(once.events), 'Here.');
      const always = await play(() => ({ content }));
      assert.equal(always.failure?.code, 'empty_response');
      assert.equal(always.server.requests.length, 2);
    });
  }

  it('c09: with stop_reason tool_use as well', async () => {
    assert.equal((await play(() => ({ stopReason: 'tool_use' }))).failure?.code, 'empty_response');
  });

  it('c10: a paused turn can be sent back as it is', async () => {
    const first = await play(() => say('Searching.', { stopReason: 'pause_turn' }));
    assert.equal(first.answer?.finish, 'pause');
    const paused = message('assistant', [
      ...first.answer.parts,
      { type: 'finish', reason: 'pause' },
    ]);
    const second = await play(
      () => say('Done.'),
      { messages: [user('Go.'), paused] },
      { server: { limits: { prefill: true } } },
    );
    assert.equal(second.server.requests[0]?.body.messages.at(-1)?.role, 'assistant');
  });

  const DETAILS = { type: 'refusal', category: 'cyber', explanation: 'It could enable harm.' };

  it('c11: a refusal is never asked again of the same model, and says what to do', async () => {
    const outcome = await play(() => ({ stopReason: 'refusal', stopDetails: DETAILS }));
    assert.equal(outcome.server.requests.length, 1);
    assert.equal(outcome.failure?.code, 'refusal');
    assert.match(
      outcome.failure.message,
      /claude-sonnet-5-5 declined.*\(cyber\).*It could enable harm\..*change your message.*Choose Model/,
    );
    assert.deepEqual(outcome.failure.details, {
      category: 'cyber',
      explanation: 'It could enable harm.',
    });
    assert.equal(waits(outcome).length, 0);
  });

  it('c11: another model in the chain is asked', async () => {
    const script = ({ model }: { model: string }): Turn =>
      model === 'claude-opus-5'
        ? say('Certainly.')
        : { stopReason: 'refusal', stopDetails: DETAILS };
    const outcome = await play(
      script,
      {},
      { composed: { settings: { 'model.fallbacks': ['claude-opus-5'] } } },
    );
    assert.equal(outcome.answer?.model, 'claude-opus-5');
    assert.equal(outcome.server.requests.length, 2);
  });

  it('c12: a refusal in the middle of text and calls is a failure; nothing of it is run', async () => {
    const outcome = await play(() => ({
      content: [{ type: 'text', text: 'First you' }, call('run', {})],
      stopReason: 'refusal',
      stopDetails: null,
    }));
    assert.equal(outcome.failure?.code, 'refusal');
    assert.equal(shownText(outcome.events), 'First you', 'it was shown and can be marked');
    assert.equal(
      outcome.events.some(({ type }) => type === 'complete'),
      false,
    );
  });

  it('c12: what was refused or broke off is not sent again', async () => {
    const outcome = await play(() => say('Fine.'), {
      messages: [
        user('One.'),
        message('assistant', [
          { type: 'text', text: 'First you' },
          { type: 'finish', reason: 'refusal' },
        ]),
        user('Two.'),
        message('assistant', [
          { type: 'text', text: 'Half an' },
          { type: 'finish', reason: 'failed' },
        ]),
        user('Three.'),
      ],
    });
    assert.doesNotMatch(outcome.server.requests[0]?.text ?? '', /First you|Half an/);
    assert.match(outcome.server.requests[0]?.text ?? '', /One\..*Two\..*Three\./);
  });

  it('c13: model_context_window_exceeded keeps the text', async () => {
    const outcome = await play(() =>
      say('So far', { stopReason: 'model_context_window_exceeded' }),
    );
    assert.deepEqual([outcome.answer?.finish, outcome.answer?.parts.length], ['context_window', 1]);
  });

  it('c14: max_tokens in the middle of text keeps the text and tells the cut', async () => {
    const outcome = await play(() => say('So far', { stopReason: 'max_tokens' }));
    assert.deepEqual([outcome.answer?.finish, outcome.answer?.parts.length], ['max_tokens', 1]);
  });

  it('c14: an answer that ended at a limit is continued by a word of the user', async () => {
    const outcome = await play(() => say('and more.'), {
      messages: [user('Go.'), message('assistant', 'So far')],
    });
    assert.deepEqual(
      outcome.server.requests[0]?.body.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('c15: thinking without a signature is shown, and not sent again', async () => {
    const turn: Turn = {
      content: [{ type: 'thinking', thinking: 'Let me', signature: '' }],
      stopReason: 'max_tokens',
    };
    const first = await play(() => turn);
    assert.equal(first.answer?.finish, 'max_tokens');
    assert.deepEqual(first.answer.parts, [{ type: 'reasoning', text: 'Let me' }]);
    const second = await play(() => say('Fine.'), {
      messages: [user('Go.'), message('assistant', first.answer.parts), user('On.')],
    });
    assert.equal(shownText(second.events), 'Fine.');
    assert.doesNotMatch(second.server.requests[0]?.text ?? '', /Let me/);
  });

  it('c16: thinking and redacted thinking go back byte for byte, before the call', async () => {
    const thinking = ' I think\n\n"so" \\ é 👍 ';
    const secret = redacted('hidden');
    const content: readonly Block[] = [
      { type: 'thinking', thinking },
      { type: 'redacted_thinking', data: secret },
      { type: 'thinking', thinking: '' },
      call('read', { path: 'a' }, 'toolu_1'),
    ];
    const server = await serve({ script: inOrder({ content }, say('Done.')) });
    const { call: ask } = composedCall({ baseUrl: server.url });
    const first = await outcomeOf(ask, modelRequest({ thinking: 'high' }));
    const parts = first.answer?.parts ?? [];
    const second = await outcomeOf(
      ask,
      modelRequest({
        thinking: 'high',
        messages: [
          user('Hello'),
          message('assistant', parts),
          message('tool', results(['toolu_1'])),
        ],
      }),
    );
    assert.equal(shownText(second.events), 'Done.');
    assert.equal(server.requests.length, 2, 'the server found nothing to refuse');
    const sent = server.requests[1]?.body.messages[1]?.content;
    assert.deepEqual(sent, [
      { type: 'thinking', thinking, signature: signatureOf(thinking) },
      { type: 'redacted_thinking', data: secret },
      { type: 'thinking', thinking: '', signature: signatureOf('') },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
    ]);
  });

  it('D7: thinking under another name is shown apart from the answer', async () => {
    const outcome = await play(() => ({
      content: [
        {
          type: 'raw',
          block: { type: 'reasoning' },
          deltas: [
            { type: 'reasoning_delta', reasoning_content: 'Hm, ' },
            { type: 'x', thought: 'so.' },
          ],
        },
        { type: 'text', text: 'Answer.' },
      ],
    }));
    assert.deepEqual(outcome.answer?.parts, [
      { type: 'reasoning', text: 'Hm, so.' },
      { type: 'text', text: 'Answer.' },
    ]);
    assert.equal(shownText(outcome.events), 'Answer.');
  });

  for (const stopReason of ['compaction', null]) {
    it(`c17: stop_reason ${stopReason} is an end of the turn that is noted`, async () => {
      const outcome = await play(() => say('Text.', { stopReason }));
      assert.deepEqual(
        [outcome.answer?.finish, outcome.answer?.finishDetail],
        ['unknown', stopReason ?? 'no stop reason'],
      );
      const withCall = await play(() => ({ content: [call('read', {})], stopReason }));
      assert.equal(withCall.answer?.finish, 'tool_use');
    });
  }

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

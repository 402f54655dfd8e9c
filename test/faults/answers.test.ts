import assert from 'node:assert/strict';
import type { Part } from '../../src/domain/message.ts';
import {
  composedCall,
  message,
  modelRequest,
  outcomeOf,
  shownText,
  user,
} from '../support/model-call.ts';
import { redacted, signatureOf } from '../support/model-server/signature.ts';
import { call, inOrder, say } from '../support/model-server/turn.ts';
import type { Block, Turn } from '../support/model-server/turn.ts';
import { players, waits } from './harness.ts';

const results = (ids: readonly string[]): Part[] =>
  ids.map((callId) => ({
    type: 'tool_result',
    callId,
    name: 'x',
    state: 'done',
    content: [{ type: 'text', text: 'ok' }],
  }));

/** Kind and text of parts, whatever goes back with them. */
const words = (parts: readonly Part[] = []): readonly string[] =>
  parts.map((part) => `${part.type}: ${'text' in part ? part.text : ''}`);

describe('faults of the answer', () => {
  const { play, serve } = players();

  it('c07: stop_reason tool_use without a call is told as such, with its text', async () => {
    const outcome = await play(() => say('I will now read it.', { stopReason: 'tool_use' }));
    assert.equal(outcome.answer?.finish, 'tool_use');
    assert.deepEqual(outcome.answer.parts, [{ type: 'text', text: 'I will now read it.' }]);
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
    assert.deepEqual(words(first.answer.parts), ['reasoning: Let me']);
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
    assert.deepEqual(words(outcome.answer?.parts), ['reasoning: Hm, so.', 'text: Answer.']);
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
});

import assert from 'node:assert/strict';
import { message, outcomeOf, shownText, user } from '../../support/model-call.ts';
import {
  callDelta,
  chatCalls,
  chatSay,
  chunk,
  refusal,
} from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { assistantIn, chatRig, request } from './chat-rig.ts';
import { path } from './wire-rig.ts';

describe('Chat Completions', () => {
  const { ask, twoTurns } = chatRig();

  describe('thinking under other names', () => {
    for (const field of ['reasoning_content', 'reasoning', 'reasoning_text']) {
      it(`${field}: shown, and back byte for byte in the same field to the same model`, async () => {
        const thought = ' Hm.\n\u00e9 "quoted" ';
        const turn = chatCalls([callDelta(0, 'a', 'read_file', path('a'))], 'tool_calls', [
          chunk({ [field]: thought.slice(0, 3), content: null }),
          chunk({ reasoning_text: thought, [field]: thought.slice(3) }),
        ]);
        const { next } = await twoTurns(turn);
        assert.equal(assistantIn(next())?.[field], thought);
      });
    }

    it('the same thought in two fields is shown once', async () => {
      const outcome = await ask({
        chunks: [
          chunk({ reasoning: 'Hm.', reasoning_content: 'Hm.' }),
          chunk({ content: 'Yes.' }, 'stop'),
        ],
      });
      assert.deepEqual(
        outcome.answer?.parts.map((part) => ('text' in part ? part.text : '')),
        ['Hm.', 'Yes.'],
      );
    });

    it('reasoning_details go back whole, their pieces joined', async () => {
      const text = (piece: string, more = {}) => ({
        type: 'reasoning.text',
        index: 0,
        text: piece,
        ...more,
      });
      const secret = {
        type: 'reasoning.encrypted',
        index: 1,
        data: 'AbC=',
        id: 'r1',
        format: 'x-v1',
      };
      const turn = chatCalls([callDelta(0, 'a', 'read_file', path('a'))], 'tool_calls', [
        chunk({ reasoning: 'One ', reasoning_details: [text('One ', { format: 'y-v1' })] }),
        chunk({ reasoning: 'two.', reasoning_details: [text('two.')] }),
        chunk({ reasoning_details: [text('', { signature: 'sig==' }), secret] }),
      ]);
      const { next, outcome } = await twoTurns(turn);
      assert.deepEqual(assistantIn(next())?.['reasoning_details'], [
        { type: 'reasoning.text', index: 0, text: 'One two.', format: 'y-v1', signature: 'sig==' },
        secret,
      ]);
      assert.equal(outcome.answer?.parts.filter(({ type }) => type === 'reasoning').length, 1);
    });

    it('an empty field beside calls goes back, too', async () => {
      const turn = chatCalls([callDelta(0, 'a', 'read_file', path('a'))], 'tool_calls', [
        chunk({ reasoning_content: '' }),
      ]);
      const { next } = await twoTurns(turn);
      assert.equal(assistantIn(next())?.['reasoning_content'], '');
    });

    it('another model gets none of it; a server that always wants the field gets an empty one', async () => {
      const turn = chatCalls([callDelta(0, 'a', 'read_file', path('a'))], 'tool_calls', [
        chunk({ reasoning_content: 'Secret.' }),
      ]);
      const { server, next, messages } = await twoTurns(turn, 'gpt-y');
      assert.equal('reasoning_content' in (assistantIn(next()) ?? {}), false);
      const always = chatProvider(server.url, { flags: { reasoning: 'always' } });
      await outcomeOf(always.call, request({ model: 'gpt-y', messages }));
      assert.equal(assistantIn(next())?.['reasoning_content'], '');
    });

    it('a 400 that misses reasoning_content is learned from', async () => {
      const outcome = await ask(
        ({ messages }) =>
          messages.some((one) => one.role === 'assistant' && !('reasoning_content' in one))
            ? refusal(
                400,
                'The reasoning_content in the thinking mode must be passed back to the API.',
              )
            : chatSay('Fine.'),
        { messages: [user('a'), message('assistant', 'b'), user('c')] },
      );
      assert.equal(shownText(outcome.events), 'Fine.');
      assert.equal(outcome.sent.length, 2);
    });

    it("a signature in a call's extra_content goes back with the call", async () => {
      const extra = { google: { thought_signature: 'sig==' } };
      const turn = chatCalls([
        { ...callDelta(0, 'a', 'read_file', path('a')), extra_content: extra },
      ]);
      const { next } = await twoTurns(turn);
      const [call] = assistantIn(next())?.tool_calls ?? [];
      assert.deepEqual((call as { extra_content?: unknown } | undefined)?.extra_content, extra);
    });
  });
});

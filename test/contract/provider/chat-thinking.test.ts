import assert from 'node:assert/strict';
import { generateTitle } from '../../../src/core/context/title.ts';
import { writeCommitMessage } from '../../../src/core/context/commit-message.ts';
import { streamAssistantTurn } from '../../../src/core/run/assistant-turn.ts';
import type { Part } from '../../../src/domain/message.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { callContext, message, outcomeOf, shownText, user } from '../../support/model-call.ts';
import {
  callDelta,
  chatCalls,
  chatSay,
  chunk,
  refusal,
  startChatServer,
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

  describe('thinking in the text', () => {
    const fence = '```';
    const explained = [
      'Thinking is inside <think> and </think>.',
      'It ends with `</think>`, as here.',
      'It ends with "</think>", as here.',
      'It ends with </think> and goes on.',
      `Like this:\n\n${fence}xml\n<think>\nHm.\n</think>\n${fence}\n\nDone.`,
      `Its end:\n\n${fence}\n</think>\n${fence}\n`,
      'A <thin line, a < b, <b>bold</b> </',
      '\n\n<thinker> is no tag.',
    ].map((text) => ({ sent: text, thought: '', text }));
    const cases: readonly { sent: string; thought: string; text: string }[] = [
      { sent: '<think>\nHm.\n</think>\n\nYes.', thought: 'Hm.', text: 'Yes.' },
      {
        sent: '\n<thinking>Hm. a < b </b></thinking> Yes.',
        thought: 'Hm. a < b </b>',
        text: 'Yes.',
      },
      {
        sent: '<THINK>Hm.</THINK>Yes. <think>No.</think>',
        thought: 'Hm.',
        text: 'Yes. <think>No.</think>',
      },
      { sent: '<think>A.</think>\n<think>B.</think>\nYes.', thought: 'A.\n\nB.', text: 'Yes.' },
      { sent: '<think>\n\n</think>\n\nYes.', thought: '', text: 'Yes.' },
      { sent: 'Hm.\nOr not?\n</think>\n\nYes.', thought: 'Hm.\nOr not?', text: 'Yes.' },
      { sent: 'Hm.</think>Yes.', thought: 'Hm.', text: 'Yes.' },
      { sent: '\n</think>\nYes.', thought: '', text: 'Yes.' },
      { sent: 'Hm. </think>', thought: 'Hm.', text: '' },
      { sent: '<think>Hm. </thin', thought: 'Hm. </thin', text: '' },
      ...explained,
    ];
    const textOfType = (parts: readonly Part[], type: 'text' | 'reasoning'): string =>
      parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('');

    for (const { sent, thought, text } of cases)
      it(`${JSON.stringify(sent)}: ${thought === '' ? 'no thinking' : 'thinking and answer are told apart'}, however it arrives`, async () => {
        const whole = {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: sent },
        };
        for (const turn of [
          {
            chunks: sent
              .split('')
              .map((content) => chunk({ content }))
              .concat(chunk({}, 'stop')),
          },
          { chunks: [chunk({ content: sent, reasoning_content: '' }), chunk({}, 'stop')] },
          { body: { object: 'chat.completion', model: 'gpt-x', choices: [whole] } },
        ]) {
          const { answer, failure, events } = await ask(turn);
          assert.ok(answer, JSON.stringify(failure));
          assert.equal(textOfType(answer.parts, 'reasoning'), thought);
          assert.equal(textOfType(answer.parts, 'text'), text);
          // What is shown while it arrives ends as the same parts at the same places.
          const shown = new Map<number, string>();
          for (const event of events) {
            if (event.type === 'delta')
              shown.set(event.index, (shown.get(event.index) ?? '') + event.text);
            if (event.type === 'part')
              shown.set(event.index, 'text' in event.part ? event.part.text : '');
          }
          assert.deepEqual(
            [...shown].toSorted(([left], [right]) => left - right).map(([, part]) => part),
            answer.parts.map((part) => ('text' in part ? part.text : '')),
          );
        }
      });

    it('before calls and back: it is never sent as text, and the calls are run', async () => {
      for (const thought of ['<think>Secret.</think>\n', 'Secret.\n</think>\n', '<think>Secret.']) {
        const turn = chatCalls(
          [callDelta(0, 'a', 'read_file', path('a'))],
          'tool_calls',
          thought.split('').map((content) => chunk({ content })),
        );
        const { next, parts } = await twoTurns(turn);
        assert.deepEqual(
          parts.map(({ type }) => type),
          ['reasoning', 'tool_call'],
        );
        assert.doesNotMatch(JSON.stringify(next()), /Secret|think>/u);
      }
    });

    it('a server that sends thinking by itself keeps tags in its text', async () => {
      const { answer } = await ask({
        chunks: [
          chunk({ reasoning_content: 'Hm.' }),
          chunk({ content: '<think>No.</think>' }, 'stop'),
        ],
      });
      assert.equal(textOfType(answer?.parts ?? [], 'text'), '<think>No.</think>');
    });

    it('text that turns out to be thinking is no part of an answer that breaks off', async () => {
      const server = await startChatServer({
        script: () => ({
          chunks: ['Secret.', '\n</think>\n', 'Yes'].map((content) => chunk({ content })),
          done: false,
        }),
      });
      const { call } = chatProvider(server.url);
      const turn = await streamAssistantTurn(call, request(), callContext(), {
        seq: 1,
        nextId: () => 'm',
      });
      await server.close();
      assert.equal(turn.finish, 'failed');
      assert.equal(textOfType(turn.parts, 'text'), 'Yes');
    });

    it('titles and commit messages are without it, also when only its beginning arrived', async () => {
      const written = async (sent: string, finish: string) => {
        const server = await startChatServer({
          script: () => ({
            chunks: [...sent.split('').map((content) => chunk({ content })), chunk({}, finish)],
          }),
        });
        const { call } = chatProvider(server.url);
        const model = createCatalog({ offered: ['anthropic'] }).lookup('gpt-x');
        const { sessionId, runId, signal, emit } = callContext();
        const context = { sessionId, runId, signal, emit };
        const title = await generateTitle({ call, model, text: 'Port the parser', ...context });
        const message = await writeCommitMessage(
          { call, model },
          { about: 'x', typed: '', onText: () => undefined },
          context,
        ).catch((error: unknown) => String(error));
        await server.close();
        return [title, message];
      };
      for (const before of ['<think>Secret.</think>', 'Secret.\n</think>\n\n'])
        assert.deepEqual(await written(`${before}Port it`, 'stop'), ['Port it', 'Port it']);
      for (const cut of ['<think>Secret.', 'Secret, the user'])
        for (const made of await written(cut, 'length')) assert.doesNotMatch(made, /Secret/u);
    });
  });
});

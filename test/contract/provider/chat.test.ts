import assert from 'node:assert/strict';
import { user } from '../../support/model-call.ts';
import {
  callDelta,
  chatCalls,
  chatSay,
  chunk,
  startChatServer,
  usageChunk,
} from '../../support/chat-server/chat-server.ts';
import type { ChatTurn } from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { chatRig, request } from './chat-rig.ts';
import { callsOf, path } from './wire-rig.ts';
import { providerContract } from './provider-contract.ts';

providerContract('Chat Completions', async () => {
  const server = await startChatServer({
    script: ({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('Use tools.')
        ? chatCalls([
            callDelta(0, 'call_a', 'read_file', '{"path":"a"}'),
            callDelta(1, 'call_b', 'read_file', '{"path":"b"}'),
          ])
        : chatSay('Hello. This answer comes in several pieces, one after the other.', { gapMs: 1 }),
  });
  return {
    provider: chatProvider(server.url),
    textRequest: request(),
    toolRequest: request({ messages: [user('Use tools.')] }),
    close: () => server.close(),
  };
});

describe('Chat Completions: answers that break agents', () => {
  const { ask } = chatRig();
  const inputs = async (turn: ChatTurn): Promise<unknown[]> => {
    const outcome = await ask(turn);
    const calls = callsOf(outcome);
    assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length, 'ids are unique');
    return calls.map(({ input }) => input['path']);
  };
  describe('which call a piece belongs to', () => {
    const cases: Readonly<Record<string, readonly object[]>> = {
      'index 0 for every call': [
        callDelta(0, 'a', 'read_file', path('a')),
        callDelta(0, 'b', 'read_file', path('b')),
      ],
      'index 0 for every call, in pieces': [
        callDelta(0, 'a', 'read_file', '{"path"'),
        callDelta(0, undefined, undefined, ':"a"}'),
        callDelta(0, 'b', 'read_file', '{"path"'),
        callDelta(0, 'b', undefined, ':"b"}'),
      ],
      'index 0 for every call, without ids': [
        callDelta(0, undefined, 'read_file', path('a')),
        callDelta(0, undefined, 'read_file', path('b')),
      ],
      'no index': [
        callDelta(undefined, 'a', 'read_file', '{"path":'),
        callDelta(undefined, 'a', undefined, '"a"}'),
        callDelta(undefined, 'b', 'read_file', '{"path":'),
        callDelta(undefined, undefined, undefined, '"b"}'),
      ],
      'neither index nor id': [
        callDelta(undefined, undefined, 'read_file', path('a')),
        callDelta(undefined, undefined, 'read_file', path('b')),
      ],
      'the id only later': [
        callDelta(0, undefined, 'read_file', '{"path"'),
        callDelta(0, 'a', undefined, ':"a"}'),
        callDelta(1, '', 'read_file', path('b')),
      ],
      'the name in every piece': [
        callDelta(0, 'a', 'read_file', '{"path"'),
        callDelta(0, 'a', 'read_file', ':"a"}'),
        callDelta(1, 'b', 'read_file', path('b')),
      ],
      interleaved: [
        callDelta(0, 'a', 'read_file', '{"path"'),
        callDelta(1, 'b', 'read_file', '{"path"'),
        callDelta(0, undefined, undefined, ':"a"}'),
        callDelta(1, undefined, undefined, ':"b"}'),
      ],
      'the same id twice': [
        callDelta(0, 'a', 'read_file', path('a')),
        callDelta(1, 'a', 'read_file', path('b')),
      ],
    };
    for (const [what, deltas] of Object.entries(cases)) {
      it(what, async () => assert.deepEqual(await inputs(chatCalls(deltas)), ['a', 'b']));
    }

    it('several in one chunk without index', async () => {
      const both = [
        callDelta(undefined, 'a', 'read_file', '{"path":'),
        callDelta(undefined, 'b', 'read_file', '{"path":'),
      ];
      const rest = [
        callDelta(undefined, undefined, undefined, '"a"}'),
        callDelta(undefined, undefined, undefined, '"b"}'),
      ];
      const chunks = [
        chunk({ tool_calls: both }),
        chunk({ tool_calls: rest }),
        chunk({}, 'tool_calls'),
      ];
      assert.deepEqual(await inputs({ chunks }), ['a', 'b']);
    });
  });

  it('arguments: nothing, an object, JSON in a string; else the model hears of it', async () => {
    const outcome = await ask(
      chatCalls([
        callDelta(0, 'a', 'read_file', ''),
        callDelta(1, 'b', 'read_file', { path: 'b' }),
        callDelta(2, 'c', 'read_file', JSON.stringify(path('c'))),
        callDelta(3, 'd', 'read_file', '{"path": oops'),
        callDelta(4, 'e', 'read_file', '[1]'),
      ]),
    );
    const calls = callsOf(outcome);
    assert.deepEqual(
      calls.map(({ input }) => input),
      [{}, { path: 'b' }, { path: 'c' }, {}, {}],
    );
    assert.deepEqual(
      calls.map(({ invalid }) => invalid !== undefined),
      [false, false, false, true, true],
    );
  });

  describe('errors within a stream of status 200', () => {
    for (const [what, error, code] of [
      [
        'an object with empty choices',
        { error: { code: 502, message: 'Provider returned error' }, choices: [] },
        'overloaded',
      ],
      ['a rate limit', { error: { code: 429, message: 'slow down' }, choices: [] }, 'rate_limited'],
      ['a text', { error: 'model runner has unexpectedly stopped' }, 'api'],
      [
        'code and words without an answer',
        { code: 'InternalError', message: 'busy', request_id: 'r' },
        'api',
      ],
      [
        'an overflow',
        { error: { message: "This model's maximum context length is 8192 tokens" } },
        'context_overflow',
      ],
    ] as const) {
      it(what, async () => {
        const { failure } = await ask({ chunks: [chunk({ content: 'Half ' }), error] });
        assert.equal(failure?.code, code);
      });
    }
  });

  describe('how an answer ends', () => {
    const call = callDelta(0, 'a', 'read_file', path('a'));
    for (const reason of ['stop', 'end', 'tool_calls', 'function_call', null, 'something_new']) {
      it(`calls with finish_reason ${reason}: the block decides`, async () => {
        assert.equal((await ask(chatCalls([call], reason))).answer?.finish, 'tool_use');
      });
    }
    for (const reason of ['error', 'network_error']) {
      it(`${reason}: the answer broke off, and its call is not run`, async () => {
        const { failure, answer } = await ask(chatCalls([call], reason));
        assert.deepEqual([failure?.code, answer], ['stream_broken', undefined]);
      });
    }
    it('neither reason nor [DONE]: it broke off', async () => {
      const { failure } = await ask({ chunks: [chunk({ content: 'Half' })], done: false });
      assert.equal(failure?.code, 'stream_broken');
    });
    it('a reset in the middle of a call: it broke off', async () => {
      const { failure } = await ask({
        chunks: [chunk({ tool_calls: [callDelta(0, 'a', 'read_file', '{"pa')] })],
        done: false,
        end: 'reset',
      });
      assert.equal(failure?.code, 'stream_broken');
    });
    for (const [what, chunks, done] of [
      ['a reason without [DONE]', [chunk({ content: 'Whole.' }, 'stop')], false],
      ['[DONE] without a reason', [chunk({ content: 'Whole.' })], true],
    ] as const) {
      it(`${what}: it is whole`, async () => {
        const { answer } = await ask({ chunks, done });
        assert.deepEqual(answer?.parts, [{ type: 'text', text: 'Whole.' }]);
      });
    }
    it('nothing at all, and [DONE] at once: empty or broken, never an answer', async () => {
      assert.equal(
        (await ask({ chunks: [chunk({ content: '' }, 'stop')] })).failure?.code,
        'empty_response',
      );
      assert.equal((await ask({ chunks: [] })).failure?.code, 'stream_broken');
    });
    it('length within a call: not run; length without a word: the window is full', async () => {
      const cut = await ask(chatCalls([callDelta(0, 'a', 'read_file', '{"path": "lo')], 'length'));
      assert.equal(cut.answer?.finish, 'max_tokens');
      assert.ok(callsOf(cut)[0]?.invalid);
      const usage = usageChunk({ prompt_tokens: 8192, completion_tokens: 0 });
      const full = await ask({ chunks: [chunk({}, 'length'), usage] });
      assert.equal(full.answer?.finish, 'context_window');
    });
    it('content_filter and a refusal of the model are refusals', async () => {
      assert.equal((await ask({ chunks: [chunk({}, 'content_filter')] })).failure?.code, 'refusal');
      const said = await ask({ chunks: [chunk({ refusal: 'I cannot.' }), chunk({}, 'stop')] });
      assert.equal(said.failure?.code, 'refusal');
      assert.match(said.failure.message, /I cannot\./);
    });
    it('a whole JSON message instead of a stream', async () => {
      const { answer } = await ask({
        body: {
          model: 'm',
          choices: [
            { message: { content: 'Hi.', tool_calls: [call] }, finish_reason: 'tool_calls' },
          ],
          usage: { prompt_tokens: 5, completion_tokens: 2 },
        },
      });
      assert.deepEqual(
        answer?.parts.map(({ type }) => type),
        ['text', 'tool_call'],
      );
      assert.equal(answer?.usage?.inputTokens, 5);
    });
    it('content as a list, with thinking in it', async () => {
      const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
      const { answer } = await ask({
        chunks: [
          chunk({ content: [thinking] }),
          chunk({ content: [{ type: 'text', text: 'Yes.' }] }, 'stop'),
        ],
      });
      assert.deepEqual(answer?.parts, [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Yes.' },
      ]);
    });
  });

  describe('usage', () => {
    for (const [what, usage, expected] of [
      [
        'OpenAI',
        {
          prompt_tokens: 100,
          completion_tokens: 30,
          prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
          completion_tokens_details: { reasoning_tokens: 20 },
        },
        {
          inputTokens: 30,
          outputTokens: 30,
          cacheReadTokens: 60,
          cacheWriteTokens: 10,
          reasoningTokens: 20,
        },
      ],
      [
        'DeepSeek',
        {
          prompt_tokens: 100,
          completion_tokens: 3,
          prompt_cache_hit_tokens: 64,
          prompt_cache_miss_tokens: 36,
        },
        { inputTokens: 36, outputTokens: 3, cacheReadTokens: 64, cacheWriteTokens: 0 },
      ],
      [
        'Kimi',
        { prompt_tokens: 100, completion_tokens: 3, cached_tokens: 50 },
        { inputTokens: 50, outputTokens: 3, cacheReadTokens: 50, cacheWriteTokens: 0 },
      ],
      [
        'xAI, thinking beside the answer',
        {
          prompt_tokens: 10,
          completion_tokens: 3,
          total_tokens: 33,
          completion_tokens_details: { reasoning_tokens: 20 },
        },
        {
          inputTokens: 10,
          outputTokens: 23,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 20,
        },
      ],
      [
        'OpenRouter, with the bill',
        { prompt_tokens: 10, completion_tokens: 3, cost: 0.0125 },
        {
          inputTokens: 10,
          outputTokens: 3,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          billed: 0.0125,
        },
      ],
    ] as const) {
      it(`${what}: in a chunk of its own, and within the choice`, async () => {
        const own = await ask({ chunks: [chunk({ content: 'x' }, 'stop'), usageChunk(usage)] });
        assert.deepEqual(own.answer?.usage, expected);
        const choices = [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop', usage }];
        const within = await ask({ chunks: [{ ...chunk({}), choices }] });
        assert.deepEqual(within.answer?.usage, expected);
      });
    }
    for (const [fields, billed] of [
      [{ cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } }, 0.02],
      [{ cost: '0.25', is_byok: true, cost_details: { upstream_inference_cost: '0.5' } }, 0.75],
      [{ cost: null, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } }, 0.5],
      [{ cost: -1, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } }, 0.5],
      // What the provider bills is not known: the price list counts.
      [{ cost: 0, is_byok: true, cost_details: { upstream_inference_cost: null } }, undefined],
      [{ cost: 0.25, is_byok: true }, undefined],
      [{ cost: 0.25, is_byok: false, cost_details: { upstream_inference_cost: 0.5 } }, 0.25],
      [{ cost: 0.25, cost_details: { upstream_inference_cost: 0.5 } }, 0.25],
      [{ cost: '0.25' }, 0.25],
      [{ cost: '' }, undefined],
      [{ cost: 'NaN' }, undefined],
      [{ cost: -0.5 }, undefined],
    ] as const)
      it(`the bill of ${JSON.stringify(fields)} is ${billed ?? 'not known'}: with a key of your own, fee and provider`, async () => {
        const usage = { prompt_tokens: 10, completion_tokens: 3, ...fields };
        const { answer } = await ask({
          chunks: [chunk({ content: 'x' }, 'stop'), usageChunk(usage)],
        });
        assert.equal(answer?.usage?.billed, billed);
      });
    it('none is unknown, not zero', async () => {
      const { answer } = await ask({ chunks: [chunk({ content: 'x' }, 'stop')] });
      assert.ok(answer !== undefined && answer.usage === undefined);
    });
  });
});

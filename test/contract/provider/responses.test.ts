import assert from 'node:assert/strict';
import { message, outcomeOf, shownText, user } from '../../support/model-call.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import {
  answerOf,
  callItem,
  completed,
  created,
  incomplete,
  itemEvents,
  messageItem,
  reasoningItem,
  RESPONSES_MODEL,
  responsesError,
  sayItems,
  startResponsesServer,
} from '../../support/responses-server/responses-server.ts';
import type { ResponsesRequest } from '../../support/responses-server/responses-server.ts';
import { providerContract } from './provider-contract.ts';
import { callsOf, contractRequests, path, wireRig } from './wire-rig.ts';

const rig = () =>
  wireRig({
    start: startResponsesServer,
    provider: responsesProvider,
    model: 'gpt-r',
    words: sayItems('Done.'),
  });

providerContract('Responses', async () => {
  const server = await startResponsesServer({
    script: ({ input }) =>
      JSON.stringify(input.at(-1)).includes('Use tools.')
        ? answerOf([
            reasoningItem('rs_1', 'Two files.'),
            callItem('fc_1', 'call_a', path('a')),
            callItem('fc_2', 'call_b', path('b')),
          ])
        : sayItems('Hello. This answer comes in several pieces.', { gapMs: 1 }),
  });
  return {
    provider: responsesProvider(server.url),
    ...contractRequests('gpt-r'),
    close: () => server.close(),
  };
});

describe('Responses: answers', () => {
  const { ask, serve, request } = rig();

  it('thinking, words and calls at once, with what goes back, usage and the model', async () => {
    const { answer } = await ask(
      answerOf([
        reasoningItem('rs_1', 'First.'),
        messageItem('msg_1', 'I read.'),
        callItem('fc_1', 'call_a', path('a')),
        callItem('fc_2', 'call_b', path('b')),
      ]),
    );
    assert.deepEqual(
      answer?.parts.map(({ type }) => type),
      ['reasoning', 'text', 'tool_call', 'tool_call'],
    );
    assert.deepEqual([answer?.finish, answer?.model], ['tool_use', RESPONSES_MODEL]);
    assert.deepEqual(answer?.usage, {
      inputTokens: 40,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
    });
  });

  it('items interleaved, out of order, and all at place 0: told apart by their ids', async () => {
    const [a, b] = [callItem('fc_1', 'call_a', path('a')), callItem('fc_2', 'call_b', path('b'))];
    const [one, two] = [itemEvents(1, a), itemEvents(0, b)];
    const mixed = one.flatMap((event, index) => [event, two[index]]).filter(Boolean);
    const interleaved = await ask({ chunks: [created, ...mixed, completed()] });
    assert.deepEqual(
      callsOf(interleaved).map(({ input }) => input['path']),
      ['b', 'a'],
    );
    const zeros = [itemEvents(0, a), itemEvents(0, b)];
    const same = zeros[0]?.flatMap((event, index) => [event, zeros[1]?.[index]]) ?? [];
    const atZero = await ask({ chunks: [created, ...same, completed()] });
    assert.deepEqual(
      callsOf(atZero).map(({ input }) => input['path']),
      ['a', 'b'],
    );
  });

  it('ids that change from event to event: told apart by their place', async () => {
    const events = itemEvents(0, callItem('fc_1', 'call_a', path('a')));
    const changed = events.map((event, n) => {
      const { item, ...rest } = event as { item?: object };
      return {
        ...rest,
        item_id: `x${n}`,
        ...(item === undefined ? {} : { item: { ...item, id: `x${n}` } }),
      };
    });
    const outcome = await ask({ chunks: [created, ...changed, completed()] });
    assert.deepEqual(
      callsOf(outcome).map(({ input }) => input['path']),
      ['a'],
    );
  });

  it('the same item ended twice, deltas that never began, unknown events and items: no crash, nothing twice', async () => {
    const item = messageItem('msg_1', 'Once.');
    const events = itemEvents(0, item);
    const outcome = await ask({
      chunks: [
        created,
        { type: 'response.function_call_arguments.delta', output_index: 7, delta: '{"a' },
        { type: 'response.moon_phase.delta', output_index: 9, delta: 'x' },
        ...itemEvents(3, { id: 'ws_1', type: 'web_search_call' }),
        ...events,
        events.at(-1),
        completed(),
        ...events,
      ],
    });
    assert.equal(shownText(outcome.events), 'Once.');
    assert.equal(outcome.answer?.parts.length, 1);
    assert.match(JSON.stringify(outcome.events), /web_search_call/);
  });

  it('words without a start, and thinking without a summary', async () => {
    const { answer } = await ask({
      chunks: [
        { type: 'response.reasoning_text.delta', output_index: 0, item_id: 'r', delta: 'Hm.' },
        { type: 'response.output_text.delta', output_index: 1, item_id: 'm', delta: 'Yes.' },
        completed(),
      ],
    });
    assert.deepEqual(answer?.parts, [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('the same id of two calls, and none: each has its own', async () => {
    const outcome = await ask(
      answerOf([
        callItem('fc_1', 'call_a', path('a')),
        callItem('fc_2', 'call_a', path('b')),
        callItem('fc_3', '', path('c')),
      ]),
    );
    assert.equal(new Set(callsOf(outcome).map(({ id }) => id)).size, 3);
  });

  it('arguments: nothing, an object, JSON in a string; else the model hears of it', async () => {
    const given = ['', { path: 'b' }, JSON.stringify(path('c')), '{"path": oops', '[1]'];
    const outcome = await ask(
      answerOf(
        given.map((args, n) => ({ ...callItem(`fc_${n}`, `c${n}`, ''), arguments: args })),
        {},
      ),
    );
    assert.deepEqual(
      callsOf(outcome).map(({ input, invalid }) => [input, invalid !== undefined]),
      [
        [{}, false],
        [{ path: 'b' }, false],
        [{ path: 'c' }, false],
        [{}, true],
        [{}, true],
      ],
    );
  });

  describe('how an answer ends', () => {
    const call = itemEvents(0, callItem('fc_1', 'call_a', path('a')));

    it('a call whose own end was not told is not run', async () => {
      const { failure } = await ask({ chunks: [created, ...call.slice(0, -1), completed()] });
      assert.equal(failure?.code, 'stream_broken');
    });
    for (const end of ['end', 'reset'] as const) {
      it(`${end} before the last event: it broke off, and nothing of it is run`, async () => {
        const { failure, answer } = await ask({ chunks: [created, ...call], end });
        assert.deepEqual([failure?.code, answer], ['stream_broken', undefined]);
      });
    }
    it('[DONE] is no end', async () => {
      const { failure } = await ask({ chunks: [created, ...call], done: true });
      assert.equal(failure?.code, 'stream_broken');
    });
    it('max_output_tokens within a call: it is not run, even if what came is JSON', async () => {
      const outcome = await ask({
        chunks: [created, ...call.slice(0, -1), incomplete('max_output_tokens')],
      });
      assert.equal(outcome.answer?.finish, 'max_tokens');
      assert.ok(callsOf(outcome)[0]?.invalid);
    });
    it('max_output_tokens within thinking: it is shown, and does not go back', async () => {
      const half = { ...reasoningItem('rs_1', 'Long.'), status: 'incomplete' };
      const { answer } = await ask({
        chunks: [created, ...itemEvents(0, half), incomplete('max_output_tokens')],
      });
      assert.deepEqual(answer?.parts, [{ type: 'reasoning', text: 'Long.' }]);
      assert.equal(answer?.finish, 'max_tokens');
    });
    it('content_filter, and a refusal of the model, are refusals', async () => {
      const filtered = await ask({ chunks: [created, incomplete('content_filter')] });
      assert.equal(filtered.failure?.code, 'refusal');
      const refusing = {
        ...messageItem('msg_1', ''),
        content: [{ type: 'refusal', refusal: 'I cannot.' }],
      };
      const said = await ask(answerOf([refusing]));
      assert.deepEqual(
        [said.failure?.code, said.failure?.details?.['explanation']],
        ['refusal', 'I cannot.'],
      );
    });
    it('an answer without a word is empty; one of another reason is noted', async () => {
      assert.equal((await ask({ chunks: [created, completed()] })).failure?.code, 'empty_response');
      const { answer } = await ask({
        chunks: [created, ...itemEvents(0, messageItem('m', 'x')), incomplete('tired')],
      });
      assert.deepEqual([answer?.finish, answer?.finishDetail], ['unknown', 'tired']);
    });
    it('a whole JSON message instead of a stream, and one that is not done', async () => {
      const items = [messageItem('msg_1', 'Hi.'), callItem('fc_1', 'call_a', path('a'))];
      const whole = await ask({ body: completed(items).response });
      assert.deepEqual(
        whole.answer?.parts.map(({ type }) => type),
        ['text', 'tool_call'],
      );
      const failed = { status: 'failed', error: { code: 'server_error', message: 'Oh.' } };
      const { failure } = await ask({ body: completed([], failed).response });
      assert.equal(failure?.code, 'overloaded');
    });
  });

  describe('errors within a stream of status 200', () => {
    for (const [code, message, expected] of [
      ['server_error', 'The server had an error.', 'overloaded'],
      ['rate_limit_exceeded', 'Please try again in 1.5s.', 'rate_limited'],
      ['context_length_exceeded', 'Your input exceeds the context window.', 'context_overflow'],
      ['insufficient_quota', 'You exceeded your current quota.', 'billing'],
      [
        'invalid_encrypted_content',
        'The encrypted content could not be verified.',
        'history_rejected',
      ],
      ['odd', 'Something.', 'api'],
    ] as const) {
      it(`${code}: as response.failed, as error, and as an error in an error`, async () => {
        const half = [created, ...itemEvents(0, messageItem('m', 'Half')).slice(0, -1)];
        const failed = {
          type: 'response.failed',
          response: { status: 'failed', error: { code, message } },
        };
        for (const event of [
          failed,
          { type: 'error', code, message, param: null, sequence_number: 3 },
          { type: 'error', error: { type: 'x', code, message } },
          { error: { code, message } },
        ]) {
          const { failure } = await ask({ chunks: [...half, event] });
          assert.equal(failure?.code, expected, JSON.stringify(event));
          if (code === 'rate_limit_exceeded') assert.equal(failure?.retryAfterMs, 1500);
        }
      });
    }
    it('response.failed tells what it used', async () => {
      const usage = { input_tokens: 9, output_tokens: 1 };
      const { events } = await ask({
        chunks: [created, { type: 'response.failed', response: { status: 'failed', usage } }],
      });
      const last = events.at(-1);
      assert.ok(last?.type === 'failed' && last.usage?.inputTokens === 9);
    });
  });

  describe('fields that a server refuses are left out once, and that is remembered', () => {
    const gone = (field: string, names: (body: ResponsesRequest) => boolean) => ({ field, names });
    for (const { field, names } of [
      gone('include', (body) => 'include' in body),
      gone('prompt_cache_key', (body) => 'prompt_cache_key' in body),
      gone('reasoning.summary', (body) => JSON.stringify(body['reasoning'] ?? '').includes('summ')),
      gone('reasoning', (body) => 'reasoning' in body),
      gone('tool_choice', (body) => 'tool_choice' in body),
    ]) {
      it(field, async () => {
        const message = `Unsupported parameter: '${field}' is not supported with this model.`;
        const server = await serve((body) =>
          names(body) ? responsesError(400, message, { param: field }) : sayItems('Fine.'),
        );
        const { call } = responsesProvider(server.url);
        const more = { thinking: 'low', toolChoice: { type: 'tool', name: 'read_file' } } as const;
        assert.equal(shownText((await outcomeOf(call, request(more))).events), 'Fine.');
        assert.equal(server.requests.length, 2);
        assert.ok((await outcomeOf(call, request(more))).answer);
        assert.equal(server.requests.length, 3, 'it was remembered');
      });
    }
    it('nothing that the answer needs: the refusal is told', async () => {
      const { failure, sent } = await ask(
        responsesError(400, "Unknown parameter: 'input'", { param: 'input' }),
      );
      assert.deepEqual([failure?.code, sent.length], ['api', 1]);
    });
  });

  it('D6: models of the server', async () => {
    const server = await serve(sayItems('x'), { pages: { '/v1/models': { data: [{ id: 'a' }] } } });
    const models = await responsesProvider(server.url).fetchModels?.(new AbortController().signal);
    assert.deepEqual(
      models?.map(({ id }) => id),
      ['a'],
    );
  });

  it('history that was refused is asked for as such', async () => {
    for (const text of [
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
      "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.",
      'The encrypted content gAAA... could not be verified.',
      'reasoning was not issued to this caller',
    ]) {
      const { failure } = await ask(responsesError(400, text), {
        messages: [user('a'), message('assistant', 'b'), user('c')],
      });
      assert.deepEqual(
        [failure?.code, failure?.details?.['problem']],
        ['history_rejected', 'thinking'],
        text,
      );
    }
  });
});

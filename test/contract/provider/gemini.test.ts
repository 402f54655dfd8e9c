import assert from 'node:assert/strict';
import { outcomeOf, shownText, user } from '../../support/model-call.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import {
  GEMINI_MODEL,
  geminiCall,
  geminiChunk,
  geminiError,
  geminiParts,
  geminiSay,
  startGeminiServer,
} from '../../support/gemini-server/gemini-server.ts';
import { providerContract } from './provider-contract.ts';
import { callsOf, contractRequests, TOOL, wireRig } from './wire-rig.ts';

providerContract('Gemini', async () => {
  const server = await startGeminiServer({
    script: ({ contents }) =>
      JSON.stringify(contents.at(-1)).includes('Use tools.')
        ? geminiParts([
            { text: 'Two files.', thought: true },
            geminiCall('a', { thoughtSignature: 'sig' }),
            geminiCall('b'),
          ])
        : geminiSay('Hello. This answer comes in several pieces.', { gapMs: 1 }),
  });
  return {
    provider: geminiProvider(server.url),
    ...contractRequests('gemini-g'),
    close: () => server.close(),
  };
});

describe('Gemini: answers', () => {
  const { ask, serve, request } = wireRig({
    start: startGeminiServer,
    provider: geminiProvider,
    model: 'gemini-g',
    words: geminiSay('Done.'),
  });

  it('thinking, words and calls at once, usage with thinking as output, and the model', async () => {
    const outcome = await ask(
      geminiParts([
        { text: 'First ', thought: true },
        { text: 'this.', thought: true },
        { text: 'I ' },
        { text: 'read.' },
        geminiCall('a', { thoughtSignature: 'sig' }),
        geminiCall('b'),
      ]),
    );
    const { answer } = outcome;
    assert.deepEqual(
      answer?.parts.map((part) => ('text' in part ? part.text : part.type)),
      ['First this.', 'I read.', 'tool_call', 'tool_call'],
    );
    assert.equal(new Set(callsOf(outcome).map(({ id }) => id)).size, 2);
    assert.deepEqual([answer?.finish, answer?.model], ['tool_use', GEMINI_MODEL]);
    assert.deepEqual(answer?.usage, {
      inputTokens: 40,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
    });
  });

  it('ids: those of the API, each once; without one, our own', async () => {
    const call = (id: string | undefined, path: string) => ({
      functionCall: { ...(id === undefined ? {} : { id }), name: 'read_file', args: { path } },
    });
    const outcome = await ask(
      geminiParts([call('x', 'a'), call('x', 'b'), call(undefined, 'c'), call('', 'd')]),
    );
    const ids = callsOf(outcome).map(({ id }) => id);
    assert.equal(ids[0], 'x');
    assert.equal(new Set(ids).size, 4);
  });

  it('arguments: none, text, a list: the model hears of what cannot be used', async () => {
    const call = (args: unknown) => ({ functionCall: { name: 'read_file', args } });
    const outcome = await ask({
      chunks: [geminiChunk([call(undefined), call('{"path":"b"}'), call([1])], 'STOP')],
    });
    assert.deepEqual(
      callsOf(outcome).map(({ input, invalid }) => [input, invalid !== undefined]),
      [
        [{}, false],
        [{ path: 'b' }, false],
        [{}, true],
      ],
    );
  });

  describe('finish reasons', () => {
    for (const reason of [
      'SAFETY',
      'RECITATION',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'LANGUAGE',
    ]) {
      it(`${reason} is a refusal, in the middle of words and without any`, async () => {
        for (const parts of [[{ text: 'Half ' }], []]) {
          const chunk = geminiChunk(parts, reason);
          const [candidate] = chunk.candidates;
          const finishMessage = 'Why so.';
          const { failure } = await ask({
            chunks: [{ ...chunk, candidates: [{ ...candidate, finishMessage }] }],
          });
          assert.deepEqual(
            [failure?.code, failure?.details?.['category'], failure?.details?.['explanation']],
            ['refusal', reason, finishMessage],
          );
        }
      });
    }
    for (const reason of [
      'MALFORMED_FUNCTION_CALL',
      'UNEXPECTED_TOOL_CALL',
      'MALFORMED_RESPONSE',
    ]) {
      it(`${reason} is asked again, and nothing of it is run`, async () => {
        const { failure, answer } = await ask(geminiParts([geminiCall('a')], reason));
        assert.deepEqual([failure?.code, answer], ['stream_broken', undefined]);
      });
    }
    it('a blocked prompt is a refusal', async () => {
      const { failure } = await ask({
        chunks: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: {} }],
      });
      assert.deepEqual(
        [failure?.code, failure?.details?.['category']],
        ['refusal', 'PROHIBITED_CONTENT'],
      );
    });
    it('MAX_TOKENS: within words, within thinking, and without a word: the window is full', async () => {
      const cut = await ask(geminiParts([{ text: 'Half' }], 'MAX_TOKENS'));
      assert.equal(cut.answer?.finish, 'max_tokens');
      const thinking = await ask(geminiParts([{ text: 'Hm', thought: true }], 'MAX_TOKENS'));
      assert.deepEqual(thinking.answer?.parts, [{ type: 'reasoning', text: 'Hm' }]);
      const usageMetadata = { promptTokenCount: 9 };
      const full = await ask({ chunks: [geminiChunk([], 'MAX_TOKENS', { usageMetadata })] });
      assert.equal(full.answer?.finish, 'context_window');
    });
    it('MISSING_THOUGHT_SIGNATURE: the history is at fault', async () => {
      const { failure } = await ask({ chunks: [geminiChunk([], 'MISSING_THOUGHT_SIGNATURE')] });
      assert.deepEqual(
        [failure?.code, failure?.details?.['problem']],
        ['history_rejected', 'thinking'],
      );
    });
    it('STOP without a word, or with a signature only, is empty; OTHER broke off', async () => {
      for (const parts of [[], [{ text: '' }], [{ text: '', thoughtSignature: 's' }]])
        assert.equal(
          (await ask({ chunks: [geminiChunk(parts, 'STOP')] })).failure?.code,
          'empty_response',
        );
      assert.equal(
        (await ask({ chunks: [geminiChunk([], 'OTHER')] })).failure?.code,
        'stream_broken',
      );
    });
    it('one that nobody knows is noted; with calls they decide', async () => {
      const odd = await ask(geminiParts([{ text: 'x' }], 'MOON'));
      assert.deepEqual([odd.answer?.finish, odd.answer?.finishDetail], ['unknown', 'MOON']);
      assert.equal((await ask(geminiParts([geminiCall('a')], 'MOON'))).answer?.finish, 'tool_use');
    });
  });

  describe('how a stream ends', () => {
    for (const end of ['end', 'reset'] as const) {
      it(`${end} without a reason: it broke off, and its call is not run`, async () => {
        const { failure, answer } = await ask({ chunks: [geminiChunk([geminiCall('a')])], end });
        assert.deepEqual([failure?.code, answer], ['stream_broken', undefined]);
      });
    }
    it('what follows the reason still counts; [DONE] ends it, too', async () => {
      const chunks = [geminiChunk([{ text: 'One ' }], 'STOP'), geminiChunk([{ text: 'two.' }])];
      assert.equal(shownText((await ask({ chunks })).events), 'One two.');
      assert.ok((await ask({ chunks, done: true })).answer);
    });
    it('an error within the stream, after words', async () => {
      const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
      const { failure } = await ask({ chunks: [geminiChunk([{ text: 'Half' }]), { error }] });
      assert.deepEqual([failure?.code, failure?.status], ['overloaded', 503]);
    });
    it('a whole JSON message, and a list of chunks, where `alt=sse` was lost', async () => {
      const chunks = [geminiChunk([{ text: 'One ' }]), geminiChunk([geminiCall('a')], 'STOP')];
      const listed = await ask({ body: chunks });
      assert.deepEqual(
        listed.answer?.parts.map(({ type }) => type),
        ['text', 'tool_call'],
      );
      assert.ok((await ask({ body: geminiChunk([{ text: 'Hi.' }], 'STOP') })).answer);
      assert.equal((await ask({ body: chunks.slice(0, 1) })).failure?.code, 'stream_broken');
      assert.equal((await ask({ body: { hello: 1 } })).failure?.code, 'bad_response');
    });
    it('parts that Belay does not know, and no parts at all', async () => {
      const outcome = await ask({
        chunks: [
          { candidates: [{}] },
          {},
          geminiChunk([{ executableCode: { code: 'x' } }, { text: 'Yes.' }], 'STOP'),
        ],
      });
      assert.equal(shownText(outcome.events), 'Yes.');
      assert.match(JSON.stringify(outcome.events), /executableCode/);
    });
  });

  describe('refusals in its words', () => {
    for (const [text, code, detail] of [
      ['API key not valid. Please pass a valid API key.', 'auth', undefined],
      ['API key expired. Please renew the API key.', 'auth', undefined],
      [
        'Function call is missing a thought_signature in functionCall parts.',
        'history_rejected',
        'thinking',
      ],
      ['Thought signature is not valid.', 'history_rejected', 'thinking'],
      [
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        'history_rejected',
        'pairs',
      ],
      [
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        'history_rejected',
        'pairs',
      ],
      [
        'Unable to submit request because it has a maxOutputTokens value of 99999 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
        'output_limit',
        undefined,
      ],
      [
        'Unable to process input image. Please retry or report in https://x',
        'image_rejected',
        'unreadable',
      ],
      [
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        'context_overflow',
        undefined,
      ],
      ['models/gemini-x is not found for API version v1beta', 'api', undefined],
    ] as const) {
      it(text.slice(0, 60), async () => {
        const { failure, sent } = await ask(geminiError(400, text));
        assert.deepEqual(
          [failure?.code, failure?.details?.['problem'], sent.length],
          [code, detail, 1],
        );
      });
    }
    it('a declaration that is refused is named', async () => {
      const tools = [TOOL, { ...TOOL, name: 'mcp__odd' }];
      const text =
        '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].items: missing field.';
      const { failure } = await ask(geminiError(400, text), { tools });
      assert.deepEqual(
        [failure?.code, failure?.details?.['tool']],
        ['tool_schema_rejected', 'mcp__odd'],
      );
    });
    it('a limit with the time to wait, in its list form', async () => {
      const details = [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
      ];
      const message =
        'You exceeded your current quota, please check your plan and billing details.';
      const { failure } = await ask({
        status: 429,
        body: [{ error: { code: 429, message, details } }],
      });
      assert.deepEqual([failure?.code, failure?.retryAfterMs], ['rate_limited', 34_500]);
    });
  });

  it('ids of calls that a server does not know are left out, and that is remembered', async () => {
    const server = await serve(({ contents }) =>
      JSON.stringify(contents).includes('"id"')
        ? geminiError(
            400,
            `Invalid JSON payload received. Unknown name "id" at 'contents[1].parts[0].function_call': Cannot find field.`,
          )
        : geminiSay('Fine.'),
    );
    const { call } = geminiProvider(server.url);
    const messages = [
      user('Go.'),
      {
        ...user(''),
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c', name: 'read_file', input: {} }],
      } as const,
      {
        ...user(''),
        role: 'tool',
        parts: [
          { type: 'tool_result', callId: 'c', name: 'read_file', state: 'done', content: [] },
        ],
      } as const,
    ];
    for (let turn = 0; turn < 2; turn += 1)
      assert.ok((await outcomeOf(call, request({ messages }))).answer);
    assert.equal(server.requests.length, 3);
  });

  it('D6: models of the server, without the paths of their names', async () => {
    const listed = {
      name: 'models/gemini-g',
      displayName: 'G',
      inputTokenLimit: 9000,
      outputTokenLimit: 700,
    };
    const server = await serve(geminiSay('x'), {
      pages: { '/v1beta/models': { models: [listed] } },
    });
    const models = await geminiProvider(server.url).fetchModels?.(new AbortController().signal);
    assert.deepEqual(
      models?.map(({ id, contextWindow, maxOutputTokens }) => [id, contextWindow, maxOutputTokens]),
      [['gemini-g', 9000, 700]],
    );
  });
});

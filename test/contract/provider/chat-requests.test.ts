import assert from 'node:assert/strict';
import { message, outcomeOf, shownText, user } from '../../support/model-call.ts';
import { chatSay, chunk, refusal } from '../../support/chat-server/chat-server.ts';
import type { WireFlags } from '../../../src/domain/models/wire-flags.ts';
import type { ChatTurn } from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { chatRig, idsOf, request } from './chat-rig.ts';
import { callsOf, TOOL } from './wire-rig.ts';

describe('Chat Completions: requests', () => {
  const { ask, serve } = chatRig();

  describe('fields that a server refuses are dropped or changed once, and that is remembered', () => {
    const cases: readonly (readonly [
      string,
      (body: Record<string, unknown>) => ChatTurn | undefined,
    ])[] = [
      [
        'stream_options',
        (body) =>
          'stream_options' in body
            ? refusal(400, "Unknown parameter: 'stream_options'", { param: 'stream_options' })
            : undefined,
      ],
      [
        'stream_options, in the words of FastAPI',
        (body) =>
          'stream_options' in body
            ? {
                status: 422,
                body: {
                  detail: [
                    {
                      loc: ['body', 'stream_options'],
                      msg: 'Extra inputs are not permitted',
                      type: 'extra_forbidden',
                    },
                  ],
                },
              }
            : undefined,
      ],
      [
        'max_tokens',
        (body) =>
          'max_tokens' in body
            ? refusal(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                { param: 'max_tokens', code: 'unsupported_parameter' },
              )
            : 'max_completion_tokens' in body
              ? undefined
              : refusal(400, 'no limit'),
      ],
      [
        'reasoning_effort',
        (body) =>
          'reasoning_effort' in body
            ? refusal(400, 'Unrecognized request argument supplied: reasoning_effort', {
                param: 'reasoning_effort',
              })
            : undefined,
      ],
      [
        'tool_choice',
        (body) =>
          'tool_choice' in body
            ? refusal(400, "'tool_choice' is not supported", { param: 'tool_choice' })
            : undefined,
      ],
    ];
    for (const [what, refuse] of cases) {
      it(what, async () => {
        const server = await serve((body) => refuse(body) ?? chatSay('Fine.'));
        const { call } = chatProvider(server.url);
        const more = { thinking: 'low', toolChoice: { type: 'tool', name: 'read_file' } } as const;
        assert.equal(shownText((await outcomeOf(call, request(more))).events), 'Fine.');
        assert.equal(server.requests.length, 2);
        assert.ok((await outcomeOf(call, request(more))).answer);
        assert.equal(server.requests.length, 3, 'it was remembered');
      });
    }
    it('a server that refuses everything is not asked forever', async () => {
      const outcome = await ask(
        refusal(400, "Unknown parameter: 'max_tokens'", { param: 'max_tokens' }),
      );
      assert.equal(outcome.answer, undefined);
      assert.ok(outcome.sent.length <= 4, String(outcome.sent.length));
    });
  });

  describe('what is sent', () => {
    const image = {
      type: 'binary',
      mediaType: 'image/png',
      data: 'iVBORw0KGgo=',
      name: 'a.png',
    } as const;
    const call = { type: 'tool_call', id: 'c1', name: 'read_file', input: { path: 'a' } } as const;
    const result = (
      content: readonly (typeof image | { type: 'text'; text: string })[],
      callId = 'c1',
    ) => ({ type: 'tool_result', callId, name: 'read_file', state: 'done', content }) as const;
    const history = [
      user('Look.'),
      message('assistant', [call]),
      message('tool', [result([{ type: 'text', text: 'Here.' }, image])]),
      user('And now?'),
    ];

    it('images of results follow in a message of the person, and neighbours of the person are one', async () => {
      const { sent, answer } = await ask(chatSay('x'), { messages: history });
      assert.ok(answer);
      const messages = sent[0]?.messages.slice(1) ?? [];
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'user'],
      );
      assert.equal(messages[1]?.content, '');
      assert.equal(messages[2]?.content, 'Here.');
      assert.deepEqual(
        ((messages[3]?.content ?? []) as readonly { type: string }[]).map(({ type }) => type),
        ['text', 'image_url', 'text'],
      );
    });

    it('an answer stands between results and the person where a server wants that', async () => {
      const { sent } = await ask(
        ({ messages }) => {
          const wrong = messages.some(
            (one, at) => one.role === 'user' && messages[at - 1]?.role === 'tool',
          );
          return wrong ? refusal(400, "Unexpected role 'user' after role 'tool'") : chatSay('x');
        },
        { messages: history },
      );
      assert.deepEqual(
        sent[1]?.messages.slice(-3).map(({ role }) => role),
        ['tool', 'assistant', 'user'],
      );
    });

    it('tools of the history are named where a server wants `tools` with calls', async () => {
      const { sent, answer } = await ask(
        ({ tools }) =>
          tools === undefined
            ? refusal(400, 'Requests which have tool calls must set the tools= param')
            : chatSay('x'),
        { messages: history, tools: [], toolChoice: { type: 'none' } },
      );
      assert.ok(answer);
      assert.deepEqual(
        sent[1]?.tools?.map(({ function: { name } }) => name),
        ['read_file'],
      );
      assert.equal(sent[1]?.['tool_choice'], 'none');
    });

    it('ids: what does not fit is mapped without collision, the same at every request', async () => {
      const ids = ['a.b', 'a:b', 'a_b', 'x'.repeat(41), 'x'.repeat(42), 'bly_made', 'call_1', ''];
      const calls = ids.map((id) => ({ ...call, id }));
      const messages = [
        user('Go.'),
        message('assistant', calls),
        message(
          'tool',
          ids.map((id) => result([{ type: 'text', text: id }], id)),
        ),
      ];
      for (const flags of [{ ids: 'forty' }, { ids: 'nine' }] as const) {
        const server = await serve(chatSay('x'));
        for (let turn = 0; turn < 2; turn += 1) {
          const { answer, failure } = await outcomeOf(
            chatProvider(server.url, { flags }).call,
            request({ messages }),
          );
          assert.ok(answer, failure?.message);
        }
        const [first, second] = server.requests.map(({ body }) => idsOf(body.messages));
        assert.deepEqual(first, second);
        assert.equal(new Set(first).size, ids.length);
        if (flags.ids === 'nine') assert.ok(first?.every((id) => /^[a-zA-Z0-9]{9}$/.test(id)));
        else assert.ok(first?.includes('call_1') === true && first.includes('a_b'));
        const results =
          server.requests[0]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
        assert.deepEqual(
          results.map((one) => one.tool_call_id),
          first,
        );
      }
    });

    it('effort in the words of each endpoint', async () => {
      const said = async (
        effort: 'off' | 'high',
        ...[flag, thinkingSwitch = 'none']: [WireFlags['effort'], WireFlags['thinkingSwitch']?]
      ) => {
        const flags = { effort: flag, thinkingSwitch };
        const { sent } = await ask(chatSay('x'), { thinking: effort }, { flags });
        return ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking']
          .map((name) => sent[0]?.[name])
          .find((value) => value !== undefined);
      };
      assert.equal(await said('high', 'reasoning_effort'), 'high');
      assert.equal(await said('off', 'reasoning_effort'), undefined);
      assert.deepEqual(await said('high', 'reasoning'), { effort: 'high' });
      assert.deepEqual(await said('off', 'reasoning'), { enabled: false });
      assert.deepEqual(await said('off', 'none', 'thinking'), { type: 'disabled' });
      assert.equal(await said('high', 'none', 'enable_thinking'), true);
      assert.deepEqual(await said('high', 'none', 'reasoning.enabled'), { enabled: true });
      // The effort is said beside a switch, and not where that is off.
      assert.equal(await said('high', 'reasoning_effort', 'thinking'), 'high');
      assert.deepEqual(await said('off', 'reasoning_effort', 'thinking'), { type: 'disabled' });
      assert.equal(await said('high', 'none'), undefined);
    });

    it('the cache: a key of at most 64 characters, or marks where they are wanted', async () => {
      const keyed = await ask(chatSay('x'), {}, { flags: { cache: 'key' } });
      assert.equal(keyed.sent[0]?.['prompt_cache_key'], 's1');
      const flags = { cache: 'marks' } as const;
      const messages = [user('1'), message('assistant', 'a'), user('2')];
      const marked = await ask(chatSay('x'), { messages }, { flags }, { strict: false });
      const marks = marked.sent[0]?.messages.map((one) =>
        JSON.stringify(one).includes('cache_control'),
      );
      assert.deepEqual(marks, [true, true, false, true]);
      const other = await ask(chatSay('x'), { messages });
      assert.equal(JSON.stringify(other.sent[0]).includes('cache_control'), false);
    });

    it('hostile schemas of MCP servers go as they are; a bad name is left out by name', async () => {
      const hostile = {
        type: 'object',
        $schema: 'x',
        $ref: '#/definitions/a',
        oneOf: [{ const: '' }],
        properties: { __proto__: { enum: ['', null] }, n: { exclusiveMinimum: 0 } },
      };
      const tools = [
        { ...TOOL, name: 'mcp__a', inputSchema: hostile },
        { ...TOOL, name: 'a.b/c' },
        { ...TOOL, name: 'x'.repeat(65) },
      ];
      const { sent, events } = await ask(chatSay('x'), { tools });
      assert.deepEqual(
        sent[0]?.tools?.map(({ function: { name } }) => name),
        ['mcp__a'],
      );
      assert.deepEqual(
        sent[0]?.tools?.[0]?.function.parameters,
        JSON.parse(JSON.stringify(hostile)),
      );
      assert.equal('strict' in (sent[0]?.tools?.[0]?.function ?? {}), false);
      assert.match(JSON.stringify(events), /a\.b\/c.{0,6} was left out/);
    });

    it('a schema that the server refuses is named', async () => {
      const { failure } = await ask(
        refusal(
          400,
          "Invalid schema for function 'read_file': In context=(), object schema missing properties.",
          { param: 'tools[0].function.parameters' },
        ),
      );
      assert.deepEqual(
        [failure?.code, failure?.details?.['tool']],
        ['tool_schema_rejected', 'read_file'],
      );
    });
  });

  it("Groq's tool_use_failed is the model's fault: an unusable call, not run", async () => {
    const outcome = await ask(
      refusal(
        400,
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        {
          code: 'tool_use_failed',
          failed_generation: '<function=read_file{"path": "a}</function>',
        },
      ),
    );
    const [call] = callsOf(outcome);
    assert.equal(outcome.answer?.finish, 'tool_use');
    assert.equal(call?.name, 'read_file');
    assert.match(call.invalid?.problem ?? '', /could not be read/);
  });

  it("Groq's tool_use_failed within a stream is, too, and what was shown is taken back", async () => {
    const error = { message: 'Failed to call a function.', code: 'tool_use_failed' };
    const outcome = await ask({
      chunks: [
        chunk({ content: 'I read.' }),
        { error: { ...error, failed_generation: 'read_file(' } },
      ],
    });
    assert.deepEqual(
      outcome.answer?.parts.map(({ type }) => type),
      ['tool_call'],
    );
    assert.equal(callsOf(outcome)[0]?.name, 'read_file');
    assert.equal(shownText(outcome.events), '');
  });

  it("Azure's content_filter is a refusal, asked once", async () => {
    const { failure, sent } = await ask(
      refusal(
        400,
        'The response was filtered due to the prompt triggering the content management policy.',
        { code: 'content_filter' },
      ),
    );
    assert.deepEqual([failure?.code, sent.length], ['refusal', 1]);
  });

  it('Ollama: the true window is asked for once, and a smaller one is told', async () => {
    const pages = { '/api/ps': { models: [{ name: 'gpt-x:latest', context_length: 4096 }] } };
    const server = await serve(chatSay('x'), { pages });
    const { call } = chatProvider(server.origin, { flags: { ollama: true } });
    const warnings = async () =>
      (await outcomeOf(call, request())).events.flatMap((event) =>
        event.type === 'warning' ? [event.message] : [],
      );
    assert.match((await warnings()).join(), /4,096 tokens.*OLLAMA_CONTEXT_LENGTH/);
    assert.deepEqual(await warnings(), []);
    assert.equal(server.requests[0]?.path, '/v1/chat/completions');
  });

  it('a server that says nothing of a full window (Cerebras)', async () => {
    const { failure } = await ask(
      { status: 400, body: '' },
      {},
      { flags: { silentOverflow: true } },
    );
    assert.equal(failure?.code, 'context_overflow');
    assert.equal((await ask({ status: 400, body: '' })).failure?.code, 'api');
  });

  it('D6: models of the server, with what it says of them in its own fields', async () => {
    const data = [
      { id: 'a', context_length: 9000, top_provider: { max_completion_tokens: 700 }, name: 'A' },
      { id: 'b', max_model_len: 5000 },
      { object: 'nonsense' },
    ];
    const server = await serve(chatSay('x'), { pages: { '/v1/models': { data } } });
    const models = await chatProvider(server.url).fetchModels?.(new AbortController().signal);
    assert.deepEqual(
      models?.map(({ id, contextWindow, maxOutputTokens }) => [id, contextWindow, maxOutputTokens]),
      [
        ['a', 9000, 700],
        ['b', 5000, 5000],
      ],
    );
  });
});

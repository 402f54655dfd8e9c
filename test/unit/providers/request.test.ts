import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ModelRequest } from '../../../src/core/model-call/model-call.ts';
import type { Message, Part } from '../../../src/domain/message.ts';
import type { ThinkingEffort, ToolSpec } from '../../../src/domain/models/model.ts';
import { requestBody } from '../../../src/providers/anthropic/request.ts';
import { WireMessages } from '../../../src/providers/anthropic/wire/wire-message.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { message, modelRequest, user } from '../../support/model-call.ts';
import { PromptCache } from '../../support/model-server/prompt-cache.ts';
import type { PromptUsage } from '../../support/model-server/prompt-cache.ts';
import type { WireRequest } from '../../support/model-server/turn.ts';
import { signed, writing } from '../../support/replays.ts';

const catalog = createCatalog({ offered: ['anthropic'] });
const spec = (name: string): ToolSpec => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
});

function bodyText(
  request: Partial<ModelRequest> = {},
  more: { cacheTtl?: '5m' | '1h'; purpose?: 'stream' | 'count'; wireMessages?: WireMessages } = {},
): string {
  const full = modelRequest(request);
  const { pieces } = requestBody(full, {
    info: catalog.lookup(full.model),
    cacheTtl: '5m',
    purpose: 'stream',
    wireMessages: new WireMessages(),
    ...writing(),
    ...more,
  });
  return Buffer.concat(pieces).toString();
}

type Marked = {
  readonly cache_control?: { readonly type: string; readonly ttl?: string };
  readonly [key: string]: unknown;
};
const body = (...args: Parameters<typeof bodyText>): WireRequest =>
  JSON.parse(bodyText(...args)) as WireRequest;
const blocksOf = (request: WireRequest): readonly Marked[] =>
  request.messages.flatMap(({ content }) => content as unknown as Marked[]);

/** Messages of `turns` turns: the model calls `calls` tools in each, the results come back. */
function session(turns: number, calls: number): readonly Message[] {
  const messages: Message[] = [user('Read everything.')];
  for (let turn = 0; turn < turns; turn += 1) {
    const ids = Array.from({ length: calls }, (_, n) => `call_${turn}_${n}`);
    messages.push(
      message(
        'assistant',
        ids.map((id): Part => ({ type: 'tool_call', id, name: 'read', input: { path: id } })),
      ),
      message(
        'tool',
        ids.map((callId): Part => ({
          type: 'tool_result',
          callId,
          name: 'read',
          state: 'done',
          content: [{ type: 'text', text: `content of ${callId} `.repeat(20) }],
        })),
      ),
    );
  }
  return messages;
}

describe('request of the Messages API', () => {
  it('a small request, byte for byte', () => {
    assert.equal(
      bodyText({ messages: [user('Hello')], tools: [spec('read')] }),
      '{"model":"claude-sonnet-5-5","max_tokens":128000,"stream":true,' +
        '"system":[{"type":"text","text":"You are a test.","cache_control":{"type":"ephemeral"}}],' +
        '"tools":[{"name":"read","description":"Does read.","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"cache_control":{"type":"ephemeral"}}],' +
        '"thinking":{"type":"between_tools"},' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"Hello","cache_control":{"type":"ephemeral"}}]}]}',
    );
  });

  it('D3: without tools there is no tools field and no tool_choice', () => {
    const sent = body({ tools: [], toolChoice: { type: 'none' } });
    assert.deepEqual(['tools' in sent, 'tool_choice' in sent], [false, false]);
    assert.equal('tool_choice' in body({ toolChoice: { type: 'tool', name: 'read' } }), false);
  });

  const CHOICES: readonly { what: string; request: Partial<ModelRequest>; choice: unknown }[] = [
    { what: 'auto is left out', request: { toolChoice: { type: 'auto' } }, choice: undefined },
    { what: 'none', request: { toolChoice: { type: 'none' } }, choice: { type: 'none' } },
    {
      what: 'a forced tool',
      request: { model: 'claude-opus-5', toolChoice: { type: 'tool', name: 'read' } },
      choice: { type: 'tool', name: 'read' },
    },
    {
      what: 'a forced tool that is not offered is ignored',
      request: { model: 'claude-opus-5', toolChoice: { type: 'tool', name: 'gone' } },
      choice: undefined,
    },
    {
      what: 'a forced tool is ignored by a model without it',
      request: { model: 'claude-opus-5-5', toolChoice: { type: 'tool', name: 'read' } },
      choice: undefined,
    },
  ];
  for (const { what, request, choice } of CHOICES) {
    it(`C13: ${what}`, () =>
      assert.deepEqual(body({ tools: [spec('read')], ...request }).tool_choice, choice));
  }

  it("the answer's limit: what was asked for, else the catalog's", () => {
    assert.equal(body({ maxOutputTokens: 77 }).max_tokens, 77);
    assert.equal(body({ model: 'claude-haiku-4-5' }).max_tokens, 64_000);
    assert.equal(body({ model: 'llama-9' }).max_tokens, 4096);
  });

  const SUMMARY = { type: 'adaptive', display: 'summarized' };
  const THINKING: readonly (readonly [string, ThinkingEffort, unknown, unknown])[] = [
    ['claude-sonnet-5-5', 'off', { type: 'between_tools' }, undefined],
    ['claude-sonnet-5-5', 'high', SUMMARY, { effort: 'high' }],
    ['claude-opus-5-5', 'off', SUMMARY, undefined],
    ['claude-opus-5-5', 'low', SUMMARY, { effort: 'low' }],
    ['claude-haiku-5-5', 'off', { type: 'disabled' }, undefined],
    ['claude-opus-4-8', 'off', undefined, undefined],
    ['claude-opus-4-8', 'medium', SUMMARY, { effort: 'medium' }],
    ['claude-haiku-4-5-20251001', 'off', undefined, undefined],
    ['claude-haiku-4-5-20251001', 'low', { type: 'enabled', budget_tokens: 4096 }, undefined],
    ['claude-haiku-4-5', 'high', { type: 'enabled', budget_tokens: 32_000 }, undefined],
    ['llama-9', 'off', undefined, undefined],
    ['llama-9', 'high', { type: 'enabled', budget_tokens: 2048 }, undefined],
  ];
  for (const [model, thinking, expected, config] of THINKING) {
    it(`D7: ${model}, thinking ${thinking}`, () => {
      const sent = body({ model, thinking });
      assert.deepEqual([sent.thinking, sent.output_config], [expected, config]);
    });
  }

  it('D7: a budget is left out where it cannot be: in a short answer, beside a forced tool', () => {
    assert.equal(
      body({ model: 'claude-haiku-4-5', thinking: 'high', maxOutputTokens: 2000 }).thinking,
      undefined,
    );
    assert.equal(
      body({
        model: 'claude-haiku-4-5',
        thinking: 'high',
        tools: [spec('read')],
        toolChoice: { type: 'tool', name: 'read' },
      }).thinking,
      undefined,
    );
  });

  it('parts of every kind', () => {
    const parts: readonly Part[] = [
      { type: 'text', text: 'See:' },
      { type: 'binary', mediaType: 'image/png', data: 'aGk=', name: 'a.png' },
      { type: 'binary', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
      {
        type: 'binary',
        mediaType: 'text/csv',
        data: Buffer.from('a;ü').toString('base64'),
        name: 'a.csv',
      },
      { type: 'binary', mediaType: 'application/zip', data: 'aGk=', name: 'a.zip' },
      { type: 'image_url', url: 'https://example.com/a.png' },
    ];
    assert.deepEqual(
      blocksOf(body({ messages: [message('user', [...parts, parts[0]!])] })).slice(0, -1),
      [
        { type: 'text', text: 'See:' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
          title: 'a.pdf',
        },
        { type: 'text', text: 'a.csv:\na;ü' },
        { type: 'text', text: '[a.zip (application/zip) cannot be shown to the model]' },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      ],
    );
  });

  it('a model without sight gets a note instead of an image', () => {
    const request = modelRequest({
      messages: [
        message('user', [
          { type: 'binary', mediaType: 'image/png', data: 'aGk=', name: 'a.png' },
          { type: 'image_url', url: 'https://example.com/b' },
        ]),
      ],
    });
    const { pieces } = requestBody(request, {
      info: { ...catalog.lookup(request.model), vision: false },
      cacheTtl: '5m',
      purpose: 'stream',
      wireMessages: new WireMessages(),
      ...writing(),
    });
    assert.deepEqual(
      blocksOf(JSON.parse(Buffer.concat(pieces).toString()) as WireRequest).map(({ text }) => text),
      ['[image a.png: this model cannot see images]', '[image at https://example.com/b]'],
    );
  });

  it('a result tells its failure; one without content says so', () => {
    const result = (state: 'failed' | 'done', text: string): Part => ({
      type: 'tool_result',
      callId: 'a',
      name: 'read',
      state,
      content: [{ type: 'text', text }],
    });
    const sent = blocksOf(
      body({ messages: [message('tool', [result('failed', 'No.'), result('done', '')])] }),
    );
    assert.deepEqual(
      sent.map((block) => [block['is_error'], block['content']]),
      [
        [true, [{ type: 'text', text: 'No.' }]],
        [undefined, [{ type: 'text', text: '(no output)' }]],
      ],
    );
  });

  it('messages of one role are one turn, and results come first in it', () => {
    const result: Part = {
      type: 'tool_result',
      callId: 'a',
      name: 'read',
      state: 'done',
      content: [{ type: 'text', text: 'r' }],
    };
    const sent = body({
      messages: [
        user('1'),
        message('assistant', [{ type: 'tool_call', id: 'a', name: 'read', input: {} }]),
        user('meanwhile'),
        message('tool', [result]),
        user('2'),
      ],
    });
    assert.deepEqual(
      sent.messages.map(({ role, content }) => [
        role,
        (content as unknown as Marked[]).map(({ type }) => type),
      ]),
      [
        ['user', ['text']],
        ['assistant', ['tool_use']],
        ['user', ['tool_result', 'text', 'text']],
      ],
    );
  });

  it('counting tokens sends neither limit nor stream', () => {
    const sent = body({}, { purpose: 'count' });
    assert.deepEqual(['max_tokens' in sent, 'stream' in sent], [false, false]);
  });

  describe('prompt cache', () => {
    it('at most four breakpoints: tools, system, the tail and the tail of a request ago', () => {
      const messages = session(3, 2);
      const marks = (request: WireRequest): readonly string[] => [
        ...(request.tools ?? []).flatMap((tool) =>
          (tool as unknown as Marked).cache_control ? [`tool ${tool.name}`] : [],
        ),
        ...((request.system ?? []) as unknown as Marked[]).flatMap((block) =>
          block.cache_control ? ['system'] : [],
        ),
        ...blocksOf(request).flatMap((block) =>
          block.cache_control ? [`${String(block['type'])} ${String(block['tool_use_id'])}`] : [],
        ),
      ];
      const request = { messages, tools: [spec('a'), spec('b')], system: ['one', 'two'] };
      assert.deepEqual(marks(body(request)), [
        'tool b',
        'system',
        'tool_result call_1_1',
        'tool_result call_2_1',
      ]);
    });

    it('the one-hour cache is asked for at every breakpoint', () => {
      const text = bodyText({ messages: session(2, 1), tools: [spec('a')] }, { cacheTtl: '1h' });
      assert.equal(text.split('"ttl":"1h"').length - 1, 4);
      assert.equal(text.split('"cache_control"').length - 1, 4);
    });

    it('thinking is never marked', () => {
      const thinking: Part = { type: 'reasoning', text: 'hm', replay: signed('s') };
      const sent = body({
        messages: [
          user('1'),
          message('assistant', [
            { type: 'text', text: 'x' },
            thinking,
            { type: 'finish', reason: 'pause' },
          ]),
        ],
      });
      assert.deepEqual(
        blocksOf(sent).map((block) => [block['type'], block.cache_control !== undefined]),
        [
          ['text', true],
          ['text', true],
          ['thinking', false],
        ],
      );
    });

    for (const calls of [1, 9, 10, 20, 60]) {
      it(`a turn pays for what is new in it, with ${calls} calls a turn`, () => {
        const cache = new PromptCache();
        const wireMessages = new WireMessages();
        const all = session(12, calls);
        let spent = 0;
        let ideal = 0;
        let before = 0;
        for (let end = 1; end <= all.length; end += 2) {
          const usage = cache.use(
            body({ messages: all.slice(0, end), tools: [spec('read')] }, { wireMessages }),
          );
          const total = tokens(usage);
          spent +=
            usage.input_tokens +
            1.25 * usage.cache_creation_input_tokens +
            0.1 * usage.cache_read_input_tokens;
          ideal += 1.25 * (total - before) + 0.1 * before;
          before = total;
        }
        assert.ok(spent / ideal <= 1.02, `${(spent / ideal).toFixed(3)} times the ideal`);
      });
    }

    it('the same input gives the same bytes, and a longer history begins with the bytes of the shorter', () => {
      const all = session(6, 3);
      const bare = (messages: readonly Message[]): string =>
        bodyText({ messages }).replaceAll(',"cache_control":{"type":"ephemeral"}', '').slice(0, -2);
      assert.equal(bodyText({ messages: structuredClone([...all]) }), bodyText({ messages: all }));
      for (let end = 1; end < all.length; end += 2)
        assert.ok(bare(all).startsWith(bare(all.slice(0, end))), `after ${end} messages`);
    });

    it('old messages are serialized once', () => {
      const wireMessages = new WireMessages();
      let read = 0;
      const parts: readonly Part[] = [
        {
          type: 'text',
          get text() {
            read += 1;
            return 'old';
          },
        },
      ];
      const messages = [message('user', parts)];
      bodyText({ messages }, { wireMessages });
      const once = read;
      bodyText({ messages: [...messages, message('assistant', 'x'), user('y')] }, { wireMessages });
      assert.equal(read, once);
    });
  });

  it('c20: whatever the strings, the body is well-formed JSON without lone surrogates', () => {
    const unit = fc.constantFrom(
      'a',
      '"',
      '\\',
      '\n',
      '\0',
      'é',
      '世',
      '😀',
      '\ud83d',
      '\udc00',
      '\u2028',
      '/',
      '__proto__',
    );
    const wild = fc.array(unit, { maxLength: 8 }).map((pieces) => `${pieces.join('')}\ud800`);
    fc.assert(
      fc.property(
        wild,
        fc.dictionary(wild, fc.oneof(wild, fc.array(wild, { maxLength: 2 }), fc.constant(null)), {
          maxKeys: 3,
        }),
        (text, input) => {
          const messages = [
            user(text),
            message('assistant', [{ type: 'tool_call', id: 'a', name: text, input }]),
            message('tool', [
              {
                type: 'tool_result',
                callId: 'a',
                name: text,
                state: 'done',
                content: [{ type: 'text', text }],
              },
            ]),
          ];
          const json = bodyText({
            messages,
            system: [text],
            tools: [{ ...spec('a'), description: text }],
          });
          assert.equal(JSON.stringify(JSON.parse(json)), json);
          assert.equal(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(json), false);
        },
      ),
    );
  });
});

const tokens = (usage: PromptUsage): number =>
  usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;

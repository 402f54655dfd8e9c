import assert from 'node:assert/strict';
import type { Message } from '../../src/domain/message.ts';
import type { ToolSpec } from '../../src/domain/models/model.ts';
import {
  composedCall,
  message,
  modelRequest,
  outcomeOf,
  shownText,
  user,
} from '../support/model-call.ts';
import { redacted, signatureOf } from '../support/model-server/signature.ts';
import { fail, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';
import { players } from './harness.ts';
import { blocks, count, image, toolCall, toolResult, warnings } from './history.ts';
import { png } from './png.ts';
import { encrypted, signed } from '../support/replays.ts';

const spec = (
  name: string,
  inputSchema: ToolSpec['inputSchema'] = { type: 'object', properties: {} },
): ToolSpec => ({ name, description: `Does ${name}.`, inputSchema });

describe('requests that are refused', () => {
  const { play, serve } = players();
  describe('h11: 413 request_too_large', () => {
    const history = (): readonly Message[] => [
      message('user', [{ type: 'text', text: 'Look.' }, image(png(8, 8, 30_000))]),
      message('assistant', [toolCall('c1')]),
      message('tool', [toolResult('c1', 'x'.repeat(60_000))]),
      message('assistant', 'Seen.'),
      user('And now?'),
    ];

    it('drops old images and cuts giant results, and sends a smaller request once', async () => {
      const outcome = await play(
        () => say('Fine.'),
        { messages: history() },
        { server: { limits: { maxBodyBytes: 20_000 } } },
      );
      assert.equal(shownText(outcome.events), 'Fine.');
      const [first, second] = outcome.server.requests;
      assert.equal(outcome.server.requests.length, 2);
      assert.ok((second?.text.length ?? 0) < 20_000 && (first?.text.length ?? 0) > 90_000);
      assert.equal(count(second?.body, 'image'), 0);
      assert.match(
        second?.text ?? '',
        /shot\.png left out.*characters left out: the request was too large/,
      );
      assert.match(warnings(outcome.events), /too large.*kept in the session/);
    });

    it('keeps the smaller form for the next call, and the stored messages as they were', async () => {
      const server = await serve({ script: () => say('Fine.'), limits: { maxBodyBytes: 20_000 } });
      const { call } = composedCall({ baseUrl: server.url });
      const messages = history();
      const before = JSON.stringify(messages);
      await outcomeOf(call, modelRequest({ messages }));
      await outcomeOf(
        call,
        modelRequest({ messages: [...messages, message('assistant', 'Fine.'), user('More.')] }),
      );
      assert.equal(server.requests.length, 3, 'refused once in the session, not at every turn');
      assert.equal(JSON.stringify(messages), before);
    });

    it('stops with a way on when nothing can be dropped', async () => {
      const outcome = await play(() =>
        fail(413, 'request_too_large', 'Request exceeds the maximum size'),
      );
      assert.equal(outcome.failure?.code, 'request_too_large');
      assert.match(outcome.failure.message, /kept.*\/compact/);
      assert.equal(outcome.server.requests.length, 1);
    });
  });

  it('h14: a call without a result is answered before it is sent', async () => {
    const outcome = await play(() => say('Fine.'), {
      messages: [
        user('Go.'),
        message('assistant', [toolCall('c1'), toolCall('c2')]),
        message('tool', [toolResult('c1')]),
        user('And?'),
      ],
    });
    assert.equal(outcome.server.requests.length, 1);
    assert.equal(shownText(outcome.events), 'Fine.');
    const results = blocks(outcome.server.requests[0]?.body).filter(
      ({ type }) => type === 'tool_result',
    );
    assert.deepEqual(
      results.map((block) => [block['tool_use_id'], block['is_error'] ?? false]),
      [
        ['c1', false],
        ['c2', true],
      ],
    );
  });

  it('h14: a server that refuses the pairs all the same gets the calls as text, so the session goes on', async () => {
    const picky = (request: WireRequest) =>
      count(request, 'tool_use') > 0
        ? fail(
            400,
            'invalid_request_error',
            'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: c1.',
          )
        : say('Fine.');
    const outcome = await play(picky, {
      messages: [
        user('Go.'),
        message('assistant', [toolCall('c1')]),
        message('tool', [toolResult('c1', 'the content')]),
      ],
    });
    assert.equal(outcome.server.requests.length, 2);
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.match(outcome.server.requests[1]?.text ?? '', /called read with.*the content/);
  });

  it('h14: it is repaired once, not for ever', async () => {
    const outcome = await play(
      () =>
        fail(
          400,
          'invalid_request_error',
          'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: c1.',
        ),
      {
        messages: [
          user('Go.'),
          message('assistant', [toolCall('c1')]),
          message('tool', [toolResult('c1')]),
        ],
      },
    );
    assert.equal(outcome.failure?.code, 'history_rejected');
    assert.equal(outcome.server.requests.length, 2);
  });

  it('h15: results without a call are dropped', async () => {
    const outcome = await play(() => say('Fine.'), {
      messages: [
        user('Go.'),
        message('tool', [toolResult('gone')]),
        message('assistant', 'Hm.'),
        message('tool', [toolResult('gone-too')]),
        user('On.'),
      ],
    });
    assert.equal(outcome.server.requests.length, 1);
    assert.equal(count(outcome.server.requests[0]?.body, 'tool_result'), 0);
  });

  it('h16: repeated ids are made unique, and each result stays with its call', async () => {
    const outcome = await play(() => say('Fine.'), {
      messages: [
        user('Go.'),
        message('assistant', [toolCall('c1')]),
        message('tool', [toolResult('c1', 'first')]),
        message('assistant', [toolCall('c1')]),
        message('tool', [toolResult('c1', 'second')]),
      ],
    });
    assert.equal(outcome.server.requests.length, 1);
    const seen = blocks(outcome.server.requests[0]?.body);
    assert.deepEqual(
      seen.filter(({ type }) => type === 'tool_use').map(({ id }) => id),
      ['c1', 'c1-2'],
    );
    assert.deepEqual(
      seen
        .filter(({ type }) => type === 'tool_result')
        .map((block) => [block['tool_use_id'], JSON.stringify(block['content']).includes('first')]),
      [
        ['c1', true],
        ['c1-2', false],
      ],
    );
  });

  it('h17: a second tool of a name is left out, and it is said once', async () => {
    const server = await serve({ script: () => say('Fine.') });
    const { call } = composedCall({ baseUrl: server.url });
    const tools = [spec('search'), spec('read'), spec('search')];
    const first = await outcomeOf(call, modelRequest({ tools }));
    const second = await outcomeOf(call, modelRequest({ tools }));
    assert.deepEqual(
      server.requests[0]?.body.tools?.map(({ name }) => name),
      ['search', 'read'],
    );
    assert.match(warnings(first.events), /second tool named "search"/);
    assert.equal(warnings(second.events), '');
  });

  it('h17: a tool whose name the API does not allow is left out', async () => {
    const outcome = await play(() => say('Fine.'), { tools: [spec('a.b/c'), spec('fine')] });
    assert.deepEqual(
      outcome.server.requests[0]?.body.tools?.map(({ name }) => name),
      ['fine'],
    );
    assert.match(warnings(outcome.events), /"a\.b\/c" was left out/);
  });

  describe('h18, h19: thinking that is no longer accepted', () => {
    const history = (signature: string): readonly Message[] => [
      user('Go.'),
      message('assistant', [
        { type: 'reasoning', text: 'Hm.', replay: signed(signature) },
        { type: 'text', text: 'Well.' },
      ]),
      user('On.'),
    ];

    it('h18: with an invalid signature it is dropped, once, and for later calls too', async () => {
      const server = await serve({ script: () => say('Fine.') });
      const { call } = composedCall({ baseUrl: server.url });
      const messages = history('forged');
      assert.equal(shownText((await outcomeOf(call, modelRequest({ messages }))).events), 'Fine.');
      await outcomeOf(call, modelRequest({ messages }));
      assert.deepEqual(
        server.requests.map(({ body }) => count(body, 'thinking')),
        [1, 0, 0],
      );
      assert.equal(
        JSON.stringify(messages).includes('forged'),
        true,
        'the stored message keeps it',
      );
    });

    for (const words of [
      'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    ]) {
      it(`h19: ${words.slice(21, 90)}…`, async () => {
        const outcome = await play(
          (request) =>
            count(request, 'thinking') > 0
              ? fail(400, 'invalid_request_error', words)
              : say('Fine.'),
          { messages: history(signatureOf('Hm.')) },
        );
        assert.equal(shownText(outcome.events), 'Fine.');
        assert.equal(outcome.server.requests.length, 2);
      });
    }

    it('h19: a model with a thinking budget goes on without thinking while its calls are answered', async () => {
      const outcome = await play(() => say('Fine.'), {
        model: 'claude-sonnet-4-5',
        thinking: 'low',
        messages: [
          user('Go.'),
          message('assistant', [
            { type: 'reasoning', text: 'Hm.', replay: signed('forged') },
            toolCall('c1'),
          ]),
          message('tool', [toolResult('c1')]),
        ],
      });
      assert.equal(shownText(outcome.events), 'Fine.');
      assert.deepEqual(
        outcome.server.requests.map(({ body }) => body.thinking?.type),
        ['enabled', 'enabled', undefined],
      );
    });

    it('h18: good thinking goes back byte for byte', async () => {
      const outcome = await play(() => say('Fine.'), {
        messages: [
          user('Go.'),
          message('assistant', [
            {
              type: 'reasoning',
              text: ' Hm.\n\u00e9 ',
              replay: signed(signatureOf(' Hm.\n\u00e9 ')),
            },
            { type: 'reasoning', text: '', replay: encrypted(redacted('secret')) },
            toolCall('c1'),
          ]),
          message('tool', [toolResult('c1')]),
        ],
      });
      assert.equal(outcome.server.requests.length, 1);
      assert.deepEqual(
        blocks(outcome.server.requests[0]?.body)
          .slice(1, 4)
          .map(({ type }) => type),
        ['thinking', 'redacted_thinking', 'tool_use'],
      );
    });
  });

  it('h22: empty and blank text is never sent', async () => {
    const outcome = await play(() => say('Fine.'), {
      system: ['', 'Be a test.'],
      messages: [
        message('user', [
          { type: 'text', text: '' },
          { type: 'text', text: 'Go.' },
        ]),
        message('assistant', [{ type: 'text', text: ' \n ' }]),
        message('user', [{ type: 'text', text: '' }]),
        message('assistant', [toolCall('c1')]),
        message('tool', [toolResult('c1', '')]),
      ],
    });
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(outcome.server.requests.length, 1);
  });

  it('h23: a tool with a schema that is refused is left out by name; others and later calls go on', async () => {
    const server = await serve({ script: () => say('Fine.') });
    const { call } = composedCall({ baseUrl: server.url });
    const tools = [
      spec('good'),
      spec('mcp__files__bad', { type: 'object', properties: { a: { type: 'florp' } } }),
      spec('mcp__web__worse', { type: 'object', anyOf: [] }),
      spec('fine'),
    ];
    const first = await outcomeOf(call, modelRequest({ tools }));
    assert.equal(shownText(first.events), 'Fine.');
    assert.match(warnings(first.events), /“mcp__files__bad”[^]*“mcp__web__worse”/);
    await outcomeOf(call, modelRequest({ tools: tools.map((tool) => ({ ...tool })) }));
    assert.deepEqual(
      server.requests.map(({ body }) => body.tools?.length),
      [4, 3, 2, 2],
    );
  });

  it('h23: a tool that comes back with another schema is offered again', async () => {
    const server = await serve({ script: () => say('Fine.') });
    const { call } = composedCall({ baseUrl: server.url });
    await outcomeOf(
      call,
      modelRequest({
        tools: [spec('bad', { type: 'object', properties: { a: { type: 'florp' } } })],
      }),
    );
    await outcomeOf(call, modelRequest({ tools: [spec('bad')] }));
    assert.deepEqual(
      server.requests.map(({ body }) => body.tools?.length),
      [1, undefined, 1],
    );
  });

  it('C13: a model that refuses a forced tool is asked without force', async () => {
    const server = await serve({ script: () => say('Fine.'), limits: { forcedTools: false } });
    const { call } = composedCall({ baseUrl: server.url });
    const request = {
      model: 'claude-opus-5',
      tools: [spec('plan')],
      toolChoice: { type: 'tool', name: 'plan' },
    } as const;
    assert.equal(shownText((await outcomeOf(call, modelRequest(request))).events), 'Fine.');
    await outcomeOf(call, modelRequest(request));
    assert.deepEqual(
      server.requests.map(({ body }) => body.tool_choice?.type),
      ['tool', undefined, undefined],
    );
  });
});

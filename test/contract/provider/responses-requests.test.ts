import assert from 'node:assert/strict';
import { message, outcomeOf, user } from '../../support/model-call.ts';
import { responsesProvider } from '../../support/responses-server/composed-responses.ts';
import {
  answerOf,
  callItem,
  completed,
  created,
  itemEvents,
  messageItem,
  reasoningItem,
  sayItems,
  startResponsesServer,
} from '../../support/responses-server/responses-server.ts';
import type { ResponsesRequest } from '../../support/responses-server/responses-server.ts';
import { IMAGE, path, PDF, TOOL, wireRig } from './wire-rig.ts';

describe('Responses: requests', () => {
  const { ask, serve, twoTurns, request } = wireRig({
    start: startResponsesServer,
    provider: responsesProvider,
    model: 'gpt-r',
    words: sayItems('Done.'),
  });
  const itemsOf = (body: ResponsesRequest | undefined, type: string) =>
    body?.input.filter((item) => item.type === type) ?? [];

  const items = [
    reasoningItem('rs_1', 'Hm. "é" \n', 'gAAA+/=='),
    reasoningItem('rs_2', ''),
    messageItem('msg_1', 'I read.'),
    callItem('fc_1', 'call_a', path('a')),
    callItem('fc_2', 'call_b', path('b')),
  ];

  it('nothing is stored: reasoning goes back byte for byte, in place, with the ids of what followed it', async () => {
    const { server, next } = await twoTurns(answerOf(items));
    const body = next();
    assert.deepEqual(
      [body?.['store'], body?.['include']],
      [false, ['reasoning.encrypted_content']],
    );
    const text = server.requests.at(-1)?.text ?? '';
    assert.ok(
      text.includes(
        items
          .slice(0, 2)
          .map((item) => JSON.stringify(item))
          .join(','),
      ),
    );
    assert.deepEqual(
      body?.input.slice(2, 7).map(({ id, type }) => [id, type]),
      items.map(({ id, type }) => [id, type]),
    );
    assert.equal(
      itemsOf(body, 'message').find(({ id }) => id === 'msg_1')?.['phase'],
      'final_answer',
    );
    assert.deepEqual(
      itemsOf(body, 'function_call_output').map((item) => [item['call_id'], item['output']]),
      [
        ['call_a', 'read "a"'],
        ['call_b', 'read "b"'],
      ],
    );
  });

  it('another model gets neither reasoning nor ids of items', async () => {
    const { next } = await twoTurns(answerOf(items), 'gpt-other');
    const body = next();
    assert.deepEqual(itemsOf(body, 'reasoning'), []);
    assert.ok(body?.input.every((item) => item['id'] === undefined));
    assert.equal(JSON.stringify(body).includes('gAAA'), false);
    assert.equal(itemsOf(body, 'function_call').length, 2);
  });

  it('Azure: what is encrypted only in the last event goes back', async () => {
    const bare = items.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: undefined } : item,
    );
    const chunks = [created, ...bare.flatMap((item, n) => itemEvents(n, item)), completed(items)];
    const { next } = await twoTurns({ chunks });
    assert.deepEqual(itemsOf(next(), 'reasoning'), items.slice(0, 2));
  });

  it('reasoning that cannot be replayed goes, and with it the ids of what followed it', async () => {
    const bare = items.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: null } : item,
    );
    const { next } = await twoTurns(answerOf(bare));
    assert.deepEqual(itemsOf(next(), 'reasoning'), []);
    assert.ok(next()?.input.every((item) => item['id'] === undefined));
  });

  it('reasoning after which nothing came does not go back', async () => {
    const { next } = await twoTurns(
      answerOf([messageItem('msg_1', 'Yes.'), reasoningItem('rs_9', 'Hm.')]),
    );
    assert.deepEqual(itemsOf(next(), 'reasoning'), []);
    assert.equal(itemsOf(next(), 'message')[2]?.['id'], 'msg_1');
  });

  it('images and PDF files, of the person and of results, where the model and the host take them', async () => {
    const call = { type: 'tool_call', id: 'c1', name: 'read_file', input: {} } as const;
    const result = {
      type: 'tool_result',
      callId: 'c1',
      name: 'read_file',
      state: 'failed',
      content: [{ type: 'text', text: 'Here.' }, IMAGE, PDF],
    } as const;
    const messages = [
      message('user', [{ type: 'text', text: 'Look.' }, IMAGE, PDF]),
      message('assistant', [call]),
      message('tool', [result]),
      message('user', [{ type: 'image_url', url: 'https://a.example/x.png' }]),
    ];
    const types = (content: unknown) =>
      (content as readonly { type: string }[]).map(({ type }) => type);
    const contents = (body: ResponsesRequest | undefined) =>
      itemsOf(body, 'message').map((item) => types(item['content']));
    const all = await ask(sayItems('x'), { messages }, { instance: { flags: { pdf: true } } });
    const [body] = all.sent;
    assert.deepEqual(contents(body).slice(1), [
      ['input_text', 'input_image', 'input_file'],
      ['input_image'],
    ]);
    const [output] = itemsOf(body, 'function_call_output');
    assert.deepEqual(types(output?.['output']), ['input_text', 'input_image', 'input_file']);
    assert.match(JSON.stringify(output), /\[failed\] Here\./);
    const none = await ask(sayItems('x'), { messages }, { info: { vision: false } });
    assert.deepEqual(contents(none.sent[0])[1], ['input_text', 'input_text', 'input_text']);
    assert.equal(typeof itemsOf(none.sent[0], 'function_call_output')[0]?.['output'], 'string');
  });

  it('effort by the one scale; without a word for it nothing is said; models that do not think are not asked', async () => {
    const efforts = { off: 'none', minimal: 'minimal', low: 'low', high: 'high' } as const;
    const said = async (thinking: 'off' | 'high', info: object) =>
      (await ask(sayItems('x'), { thinking }, { info })).sent[0];
    assert.deepEqual((await said('high', { efforts }))?.['reasoning'], {
      effort: 'high',
      summary: 'auto',
    });
    assert.deepEqual((await said('off', { efforts }))?.['reasoning'], { effort: 'none' });
    assert.equal((await said('off', {}))?.['reasoning'], undefined);
    const plain = await said('high', { thinking: false });
    assert.deepEqual([plain?.['reasoning'], plain?.['include']], [undefined, undefined]);
  });

  it('the answer has room for 16 tokens; the cache has a key of at most 64 characters', async () => {
    const { sent } = await ask(sayItems('x'), { maxOutputTokens: 3 });
    assert.deepEqual([sent[0]?.['max_output_tokens'], sent[0]?.['prompt_cache_key']], [16, 's1']);
  });

  it('ids: what does not fit is mapped without collision, the same at every request', async () => {
    const ids = ['a.b', 'a:b', 'a_b', 'x'.repeat(65), 'x'.repeat(66), 'bly_made', 'call_1', ''];
    const call = { type: 'tool_call', name: 'read_file', input: {} } as const;
    const result = { type: 'tool_result', name: 'read_file', state: 'done' } as const;
    const messages = [
      user('Go.'),
      message(
        'assistant',
        ids.map((id) => ({ ...call, id })),
      ),
      message(
        'tool',
        ids.map((id) => ({ ...result, callId: id, content: [{ type: 'text', text: id }] })),
      ),
    ];
    const server = await serve(sayItems('x'));
    for (let turn = 0; turn < 2; turn += 1)
      assert.ok(
        (await outcomeOf(responsesProvider(server.url).call, request({ messages }))).answer,
      );
    const [first, second] = server.requests.map(({ body }) =>
      itemsOf(body, 'function_call').map((item) => item['call_id']),
    );
    assert.deepEqual(first, second);
    assert.equal(new Set(first).size, ids.length);
    assert.ok(first?.includes('call_1') === true && first.includes('a_b'));
  });

  it('what was sent once begins the next request: the prompt cache holds', async () => {
    const { server } = await twoTurns(answerOf(items));
    const [first = '', second = ''] = server.requests.map(({ text }) => text);
    assert.ok(second.startsWith(first.slice(0, -2)));
  });

  it('hostile schemas of MCP servers go as they are, never strict; bad names are left out by name', async () => {
    const hostile = {
      type: 'object',
      $schema: 'x',
      oneOf: [{ const: '' }],
      properties: { n: { exclusiveMinimum: 0 } },
    };
    const tools = [
      { ...TOOL, name: 'mcp__a', inputSchema: hostile },
      { ...TOOL, name: 'a.b/c' },
    ];
    const { sent, events } = await ask(sayItems('x'), { tools });
    const [tool, ...others] = sent[0]?.tools ?? [];
    assert.deepEqual([tool?.name, tool?.['strict'], others.length], ['mcp__a', false, 0]);
    assert.deepEqual(tool?.['parameters'], hostile);
    assert.match(JSON.stringify(events), /a\.b\/c.{0,6} was left out/);
  });

  it('a history that ends with the model goes on', async () => {
    const { sent } = await ask(sayItems('x'), { messages: [user('a'), message('assistant', 'b')] });
    assert.match(JSON.stringify(sent[0]?.input.at(-1)), /Continue\./);
  });

  it('the key goes as the host wants it', async () => {
    const server = await serve(sayItems('x'));
    const flags = { keyHeader: 'api-key' } as const;
    const azure = responsesProvider(server.url, { instance: { flags } });
    await outcomeOf(azure.call, request());
    await outcomeOf(responsesProvider(server.url).call, request());
    assert.deepEqual(
      server.requests.map(({ headers }) => [headers['api-key'], headers.authorization]),
      [
        ['test-key', undefined],
        [undefined, 'Bearer test-key'],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/model-call/model-call.ts';
import { message, outcomeOf, user } from '../../support/model-call.ts';
import { geminiProvider } from '../../support/gemini-server/composed-gemini.ts';
import {
  geminiCall,
  geminiError,
  geminiParts,
  geminiSay,
  startGeminiServer,
} from '../../support/gemini-server/gemini-server.ts';
import type { GeminiPart } from '../../support/gemini-server/gemini-server.ts';
import { IMAGE, PDF, TOOL, wireRig } from './wire-rig.ts';

const CALL = { type: 'tool_call', id: 'c1', name: 'read_file', input: { path: 'a' } } as const;
const RESULT = {
  type: 'tool_result',
  callId: 'c1',
  name: 'read_file',
  state: 'done',
  content: [{ type: 'text', text: 'Here.' }],
} as const;

describe('Gemini: requests', () => {
  const { ask, serve, twoTurns, request } = wireRig({
    start: startGeminiServer,
    provider: geminiProvider,
    model: 'gemini-g',
    words: geminiSay('Done.'),
  });
  const bare = ({ functionCall, ...rest }: GeminiPart): GeminiPart =>
    functionCall === undefined
      ? rest
      : { functionCall: { name: 'read_file', args: functionCall.args }, ...rest };

  const PARTS: readonly GeminiPart[] = [
    { text: 'Hm.', thought: true, thoughtSignature: 'A/+1==' },
    { text: 'I read ' },
    { text: 'two.', thoughtSignature: 'B2' },
    { text: '', thoughtSignature: 'C3' },
    geminiCall('a', { thoughtSignature: 'D4' }),
    geminiCall('b'),
  ];

  it('signatures go back byte for byte, each on its own part, even on empty text', async () => {
    const { next, parts } = await twoTurns(geminiParts(PARTS));
    assert.deepEqual(next()?.contents[1]?.parts.map(bare), PARTS);
    assert.deepEqual(
      parts.map((part) => ('text' in part ? part.text : part.type)),
      ['Hm.', 'I read two.', 'tool_call', 'tool_call'],
    );
  });

  it('a signature without a word stands where it came', async () => {
    const lone = [geminiCall('a', { thoughtSignature: 'D' }), { text: '', thoughtSignature: 'E' }];
    const { next } = await twoTurns(geminiParts(lone));
    assert.deepEqual(next()?.contents[1]?.parts.map(bare), lone);
  });

  it('text that is not what it was goes without the signatures of its pieces', async () => {
    const replay = { instance: 'gemini', wire: 'gemini', model: 'gemini-g' };
    const data = { thought: false, pieces: [[3, 's']] };
    const { sent } = await ask(geminiSay('x'), {
      messages: [
        user('a'),
        message('assistant', [{ type: 'text', text: 'Changed', replay: { ...replay, data } }]),
        user('b'),
      ],
    });
    assert.deepEqual(sent[0]?.contents[1]?.parts, [{ text: 'Changed' }]);
  });

  it('another model gets none of them, and calls with the word that says so', async () => {
    const { next } = await twoTurns(geminiParts(PARTS), 'gemini-other');
    const skip = 'skip_thought_signature_validator';
    assert.deepEqual(next()?.contents[1]?.parts.map(bare), [
      { text: 'I read two.' },
      geminiCall('a', { thoughtSignature: skip }),
      geminiCall('b', { thoughtSignature: skip }),
    ]);
    const old = await twoTurns(geminiParts(PARTS), 'gemini-2.5-flash');
    assert.equal(JSON.stringify(old.next()).includes('thoughtSignature'), false);
  });

  it('all results of a step are in one turn, in order, with the ids of their calls; words follow alone', async () => {
    const { next, messages } = await twoTurns(geminiParts(PARTS));
    const [, model, results] = next()?.contents ?? [];
    const ids = model?.parts.flatMap(({ functionCall }) => functionCall?.id ?? []);
    assert.deepEqual(
      results?.parts.map(({ functionResponse: one }) => [one?.id, one?.response]),
      [
        [ids?.[0], { output: 'read "a"' }],
        [ids?.[1], { output: 'read "b"' }],
      ],
    );
    const { sent } = await ask(geminiSay('x'), { messages: [...messages, user('And?')] });
    assert.deepEqual(
      sent[0]?.contents.map(({ role }) => role),
      ['user', 'model', 'user', 'user'],
    );
  });

  it('results that stand in two messages are one turn all the same', async () => {
    const second = { ...CALL, id: 'c2' };
    const { answer, failure } = await ask(geminiSay('x'), {
      messages: [
        user('Go.'),
        message('assistant', [CALL, second]),
        message('tool', [{ ...RESULT, content: [IMAGE] }]),
        message('tool', [{ ...RESULT, callId: 'c2' }]),
      ],
    });
    assert.ok(answer, failure?.message);
  });

  it('images and PDF files go as bytes, those of results after them; else as words', async () => {
    const messages = [
      message('user', [{ type: 'text', text: 'Look.' }, IMAGE, PDF]),
      message('assistant', [CALL]),
      message('tool', [
        { ...RESULT, state: 'failed', content: [{ type: 'text', text: 'No.' }, IMAGE] },
      ]),
    ];
    const seeing = await ask(geminiSay('x'), { messages });
    const [first, , results, shown] = seeing.sent[0]?.contents ?? [];
    assert.deepEqual(
      first?.parts.map(({ inlineData }) => inlineData?.mimeType),
      [undefined, 'image/png', 'application/pdf'],
    );
    assert.deepEqual(results?.parts[0]?.functionResponse?.response, { error: '[failed] No.' });
    assert.equal(shown?.parts[1]?.inlineData?.mimeType, 'image/png');
    const blind = await ask(geminiSay('x'), { messages }, { info: { vision: false } });
    assert.equal(JSON.stringify(blind.sent).includes('inlineData'), false);
  });

  it('a picture at an address is loaded by the server; where that is refused, and all else, is named in words', async () => {
    const at = (url: string) => ({ type: 'image_url', url }) as const;
    const messages = [
      message('user', [at('https://a.example/x/y.PNG?v=1'), at('http://a.example/y.png')]),
      message('user', [at('https://a.example/z')]),
    ];
    const [first, second] = ['fileData', 'text'];
    const { sent, answer } = await ask(
      (_request, n) =>
        n === 1 ? geminiError(400, 'Cannot fetch content from the provided URL.') : geminiSay('x'),
      { messages },
    );
    assert.ok(answer);
    assert.deepEqual(
      sent.map(({ contents }) => contents[0]?.parts.map((part) => Object.keys(part)[0])),
      [
        [first, second, second],
        [second, second, second],
      ],
    );
    assert.match(
      JSON.stringify(sent[0]),
      /"mimeType":"image\/png","fileUri":"https:\/\/a\.example\/x\/y\.PNG\?v=1"/,
    );
    assert.match(JSON.stringify(sent[1]), /\[image at https:\/\/a\.example\/x\/y\.PNG\?v=1\]/);
  });

  it('ids: what does not fit is mapped without collision, the same at every request', async () => {
    const ids = ['a.b', 'a:b', 'a_b', 'x'.repeat(65), 'x'.repeat(66), 'bly_made', 'call_1', ''];
    const messages = [
      user('Go.'),
      message(
        'assistant',
        ids.map((id) => ({ ...CALL, id })),
      ),
      message(
        'tool',
        ids.map((id) => ({ ...RESULT, callId: id })),
      ),
    ];
    const server = await serve(geminiSay('x'));
    for (let turn = 0; turn < 2; turn += 1)
      await outcomeOf(geminiProvider(server.url).call, request({ messages }));
    const [first, second] = server.requests.map(({ body }) =>
      body.contents[1]?.parts.map(({ functionCall }) => functionCall?.id),
    );
    assert.deepEqual(first, second);
    assert.equal(new Set(first).size, ids.length);
    assert.ok(first?.includes('call_1') === true && first.includes('a_b'));
  });

  it('the system prompt, and effort as a level or a budget', async () => {
    const config = async (more: Partial<ModelRequest>, info: object = {}) =>
      (await ask(geminiSay('x'), more, { info })).sent[0]?.generationConfig['thinkingConfig'];
    assert.deepEqual(await config({ thinking: 'medium' }), {
      thinkingLevel: 'medium',
      includeThoughts: true,
    });
    assert.deepEqual(await config({ thinking: 'off' }), {
      thinkingLevel: 'low',
      includeThoughts: false,
    });
    const budget = { efforts: undefined };
    assert.deepEqual(await config({ thinking: 'high' }, budget), {
      thinkingBudget: 8000,
      includeThoughts: true,
    });
    assert.deepEqual(await config({ thinking: 'off' }, budget), {
      thinkingBudget: 0,
      includeThoughts: false,
    });
    const pro = await config({ thinking: 'off', model: 'gemini-2.5-pro' }, budget);
    assert.deepEqual(pro, { thinkingBudget: 128, includeThoughts: false });
    assert.equal(await config({}, { thinking: false }), undefined);
    const { sent } = await ask(geminiSay('x'), { system: ['One.', ' ', 'Two.'] });
    assert.deepEqual(sent[0]?.['systemInstruction'], {
      parts: [{ text: 'One.' }, { text: 'Two.' }],
    });
  });

  it('a forced tool, none at all, and a model that cannot be forced', async () => {
    const config = async (toolChoice: ModelRequest['toolChoice'], info = {}) =>
      (await ask(geminiSay('x'), { toolChoice }, { info })).sent[0]?.['toolConfig'];
    const forced = { type: 'tool', name: 'read_file' } as const;
    assert.deepEqual(await config(forced), {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] },
    });
    assert.deepEqual(await config({ type: 'none' }), { functionCallingConfig: { mode: 'NONE' } });
    assert.equal(await config(forced, { toolChoice: false }), undefined);
  });

  it('what was sent once begins the next request: the prompt cache holds', async () => {
    const { server } = await twoTurns(geminiParts(PARTS));
    const [first = '', second = ''] = server.requests.map(({ text }) => text);
    assert.ok(second.startsWith(first.slice(0, -2)));
  });

  it('a history that ends with the model goes on; two answers in a row are one turn', async () => {
    const { sent } = await ask(geminiSay('x'), {
      messages: [user('a'), message('assistant', 'b'), message('assistant', 'c')],
    });
    assert.deepEqual(
      sent[0]?.contents.map(({ parts }) => parts.map(({ text }) => text)),
      [['a'], ['b', 'c'], ['Continue.']],
    );
  });

  describe('hostile schemas of MCP servers', () => {
    const reduced = async (inputSchema: ModelRequest['tools'][number]['inputSchema']) => {
      const tools = [{ ...TOOL, name: 'mcp__odd', inputSchema }];
      const { sent, answer, events } = await ask(geminiSay('x'), { tools });
      assert.ok(answer);
      const [tool] = sent[0]?.tools?.[0]?.functionDeclarations ?? [];
      const notes = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
      return { schema: tool?.parametersJsonSchema, notes: notes.join('\n'), tool };
    };

    it('what Gemini takes stays; other limits are said in words; what is left out is told by name', async () => {
      const { schema, notes } = await reduced({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          mode: { const: 'x' },
          size: { type: 'integer', exclusiveMinimum: 0, description: 'Bytes.' },
          tags: { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^a' } },
          kind: { enum: ['', 'a', null], default: '' },
          either: { oneOf: [{ type: 'string' }, { type: 'number', multipleOf: 2 }] },
          not: { not: { type: 'string' } },
        },
        patternProperties: { '^x': {} },
        required: ['mode', 'nowhere'],
      });
      assert.deepEqual(schema, {
        type: 'object',
        additionalProperties: false,
        properties: {
          mode: { enum: ['x'] },
          size: { type: 'integer', description: 'Bytes. (exclusiveMinimum: 0)' },
          tags: {
            type: 'array',
            items: { type: 'string', description: '(pattern: ^a)' },
            description: '(uniqueItems: true)',
          },
          kind: { enum: ['a'] },
          either: {
            anyOf: [{ type: 'string' }, { type: 'number', description: '(multipleOf: 2)' }],
          },
          not: {},
        },
        required: ['mode'],
        description: '(minProperties: 1)',
      });
      assert.match(
        notes,
        /"mcp__odd"\. Left out: not, patternProperties, the choice "", the choice null/,
      );
    });

    it('references are resolved, one to itself is any object, one to elsewhere anything', async () => {
      const { schema, notes } = await reduced({
        type: 'object',
        properties: {
          node: { $ref: '#/definitions/a~1b' },
          far: { $ref: 'https://example.com/x.json' },
        },
        definitions: {
          'a/b': { type: 'object', properties: { next: { $ref: '#/definitions/a~1b' } } },
        },
      });
      assert.deepEqual(schema, {
        type: 'object',
        properties: { node: { type: 'object', properties: { next: { type: 'object' } } }, far: {} },
      });
      assert.match(notes, /\$ref, \$ref to itself/);
    });

    it('allOf is joined; no input is no schema; what is no object becomes one', async () => {
      const all = await reduced({
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      });
      assert.deepEqual(all.schema, {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a', 'b'],
      });
      assert.equal((await reduced({ type: 'object', properties: {} })).schema, undefined);
      assert.equal((await reduced({})).schema, undefined);
    });

    it('every array gets items, wherever it is: the tool stays', async () => {
      const array = { type: 'array' };
      const nullable = { type: ['array', 'null'], description: 'Any.' };
      const { schema } = await reduced({
        type: 'object',
        properties: {
          items: array,
          nullable,
          nested: { type: 'array', items: array },
          closed: { type: 'array', items: false, prefixItems: [array, { type: 'string' }] },
          pair: { prefixItems: [{ type: 'string' }] },
          either: { anyOf: [{ type: 'string' }, array] },
          map: { type: 'object', additionalProperties: { $ref: '#/$defs/list' } },
          joined: { allOf: [{ items: { type: 'number' } }, array] },
          refined: { $ref: '#/$defs/list', items: { type: 'number' } },
          type: { type: 'string', enum: ['array'] },
        },
        $defs: { list: array },
      });
      const whole = { type: 'array', items: {} };
      const numbers = { type: 'array', items: { type: 'number' } };
      assert.deepEqual(schema, {
        type: 'object',
        properties: {
          items: whole,
          nullable: { ...nullable, items: {} },
          nested: { type: 'array', items: whole },
          closed: { type: 'array', items: {}, prefixItems: [whole, { type: 'string' }] },
          pair: { items: {}, prefixItems: [{ type: 'string' }] },
          either: { anyOf: [{ type: 'string' }, whole] },
          map: { type: 'object', additionalProperties: whole },
          joined: numbers,
          refined: numbers,
          type: { type: 'string', enum: ['array'] },
        },
      });
    });

    it('references that multiply are left out with their tool, in little time', async () => {
      const definitions = Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [
          `d${n}`,
          { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      );
      const { tool, notes } = await reduced({
        type: 'object',
        properties: { a: { $ref: '#/$defs/d0' } },
        $defs: { ...definitions, d30: { type: 'string' } },
      });
      assert.equal(tool, undefined);
      assert.match(notes, /"mcp__odd" was left out/);
    });

    it('one nested without end, and names that begin with a digit', async () => {
      let deep: ModelRequest['tools'][number]['inputSchema'] = { type: 'string' };
      for (let depth = 0; depth < 500; depth += 1) deep = { type: 'array', items: deep };
      const { notes } = await reduced({ type: 'object', properties: { deep } });
      assert.match(notes, /nested more than 32 deep/);
      const { sent, events } = await ask(geminiSay('x'), {
        tools: [{ ...TOOL, name: '1x' }, TOOL],
      });
      assert.equal(sent[0]?.tools?.[0]?.functionDeclarations.length, 1);
      assert.match(JSON.stringify(events), /1x.{0,6} was left out/);
    });
  });
});

import { inEnglish } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { Message } from '../../../src/domain/message.ts';
import { ContextBuilder, type ContextOptions } from '../../../src/core/context/builder.ts';
import { TokenEstimator } from '../../../src/core/context/tokens/estimate.ts';
import { systemPrompt } from '../../../src/core/context/prompt/system-prompt.ts';
import { compaction, model, outline, Story } from './story.ts';

const tools = [
  { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
  { name: 'ask_human', description: 'Asks.', inputSchema: { type: 'object' } },
];

function builder(changes: Partial<ContextOptions> = {}): ContextBuilder {
  return new ContextBuilder({
    model,
    contextLimit: 100_000,
    thinking: 'high',
    system: ['You are a test.', 'Mode: test.'],
    historyLimit: 0,
    estimator: new TokenEstimator(),
    ...changes,
  });
}

describe('context builder', () => {
  it('A7: system prompt, environment, first request, summary, recent messages, incoming message', async () => {
    const { messages } = new Story()
      .note('environment', 'today')
      .person('do it')
      .reads(3)
      .person('and now?');
    const { request } = await builder().build({
      messages,
      tools,
      compaction: compaction({ throughSeq: 6 }),
    });
    assert.deepEqual(request.system, ['You are a test.', 'Mode: test.']);
    assert.equal(outline(request.messages), 'u2 S a7 t8 u9');
    assert.deepEqual(request.tools, tools);
    assert.deepEqual(request.toolChoice, { type: 'auto' });
    assert.equal(request.thinking, 'high');
  });

  it('A7: the same input gives the same bytes', async () => {
    const { messages } = new Story().person('do it').reads(5);
    const input = { messages, tools, compaction: compaction({ throughSeq: 3 }) };
    const one = builder();
    const first = JSON.stringify((await one.build(input)).request);
    assert.equal(JSON.stringify((await one.build(input)).request), first);
    assert.equal(
      JSON.stringify(
        (await builder().build(JSON.parse(JSON.stringify(input)) as typeof input)).request,
      ),
      first,
    );
  });

  it('A7: a turn only adds to what was sent before', async () => {
    const story = new Story().person('do it').reads(3);
    const one = builder();
    const before = (await one.build({ messages: story.messages, tools })).request;
    const { length } = before.messages;
    story.reads(1);
    const after = (await one.build({ messages: story.messages, tools })).request;
    assert.equal(after.tools, before.tools, 'the very same tools');
    assert.equal(after.system, before.system);
    for (let index = 0; index < length; index += 1)
      assert.equal(after.messages[index], before.messages[index]);
  });

  it('tools are sent as the model sees them: nothing of how they run, in their order, each name once', async () => {
    const tool = {
      name: 'read_file',
      description: 'Reads.',
      inputSchema: { type: 'object' },
      sideEffects: false,
      run: () => undefined,
    };
    const twin = { name: 'read_file', description: 'Another.', inputSchema: {} };
    const { request } = await builder().build({
      messages: [],
      tools: [tool, twin, tools[1] ?? tool],
    });
    assert.deepEqual(request.tools, tools);
  });

  for (const { force, choice } of [
    { force: 'ask_human', choice: { type: 'tool', name: 'ask_human' } },
    { force: 'none', choice: { type: 'none' } },
    { force: 'unknown_tool', choice: { type: 'auto' } },
  ] as const) {
    it(`C13: forcing ${force} is ${choice.type}; tools and thinking stay for the cache`, async () => {
      const { request } = await builder().build({ messages: [], tools, forceTool: force });
      assert.deepEqual(request.toolChoice, choice);
      assert.equal(request.thinking, 'high');
      assert.deepEqual(request.tools, tools);
    });
  }

  it('C8: the prompt hash changes with the system prompt and the tools, and with nothing else', async () => {
    const hash = async (
      changes: Partial<ContextOptions>,
      offered = tools,
      messages: readonly Message[] = [],
    ): Promise<string> => (await builder(changes).build({ messages, tools: offered })).promptHash;
    const base = await hash({});
    assert.equal(await hash({}, tools, new Story().person('x').messages), base);
    assert.equal(await hash({ thinking: 'off', contextLimit: 5 }), base);
    assert.notEqual(await hash({ system: ['Other.'] }), base);
    assert.notEqual(await hash({}, tools.slice(1)), base);
    assert.notEqual(
      await hash(
        {},
        tools.map((tool) => ({ ...tool, description: 'New.' })),
      ),
      base,
    );
    assert.match(base, /^[0-9a-f]{16}-[0-9a-f]{16}$/);
  });

  it('C12: the estimate is of the whole request, tools and system prompt included', async () => {
    const { messages } = new Story().person('x'.repeat(4000));
    const { estimatedTokens, overheadTokens, contextLimit } = await builder().build({
      messages,
      tools,
    });
    assert.equal(estimatedTokens, 1004 + overheadTokens);
    assert.ok(overheadTokens > 30);
    assert.equal(contextLimit, 100_000);
  });

  it('C12: usage of the last call is the base of the next estimate, until a compaction', async () => {
    const story = new Story()
      .person('do it')
      .says('ok', 'end_turn', {
        inputTokens: 9000,
        outputTokens: 5,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      })
      .person('go on');
    const one = builder();
    const prepared = await one.build({ messages: story.messages.slice(0, 1), tools });
    one.observe(prepared, story.messages[1] as Message);
    assert.equal((await one.build({ messages: story.messages, tools })).estimatedTokens, 9005 + 6);
    const compacted = await one.build({
      messages: story.messages,
      tools,
      compaction: compaction({ throughSeq: 1 }),
    });
    assert.ok(compacted.estimatedTokens < 1000);
  });

  for (const { tokens, output } of [
    { tokens: 10_000, output: 8000 },
    { tokens: 95_000, output: 5000 },
    { tokens: 99_900, output: 1024 },
  ]) {
    it(`h13: with about ${tokens} of 100,000 tokens used at most ${output} are asked for`, async () => {
      const { messages } = new Story().person('x'.repeat((tokens - 4) * 4));
      const { request } = await builder({ system: [] }).build({ messages, tools: [] });
      assert.ok(
        Math.abs((request.maxOutputTokens ?? 0) - output) < 10,
        `${request.maxOutputTokens}`,
      );
    });
  }

  it('h13: a setting for the output limit counts', async () => {
    const { request } = await builder({ maxOutputTokens: 500 }).build({ messages: [], tools });
    assert.equal(request.maxOutputTokens, 500);
  });

  it('E4: says once that messages are left out, and again when more are', async () => {
    const story = new Story().person('do it').reads(10);
    const one = builder({ historyLimit: 10 });
    const warnings: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const prepared = await one.build({ messages: story.messages, tools });
      assert.ok(prepared.request.messages.length <= 10);
      warnings.push(prepared.warnings.length);
      story.reads(1);
    }
    assert.equal(warnings[0], 1);
    assert.ok(warnings.reduce((sum, count) => sum + count, 0) <= 4, warnings.join());
    const { warnings: texts } = await builder({ historyLimit: 10 }).build({
      messages: story.messages,
      tools,
    });
    assert.match(
      texts.map(inEnglish).join(),
      /belay\.advanced\.maxHistoryMessages.*still in the session/,
    );
  });
});

describe('system prompt', () => {
  it('is short: at most 700 tokens, with two blocks of which the first never changes', async () => {
    const estimator = new TokenEstimator();
    for (const mode of ['read', 'plan', 'ask', 'edit', 'auto'] as const) {
      const blocks = systemPrompt({ mode });
      assert.equal(blocks.length, 2);
      assert.equal(blocks[0], systemPrompt({ mode: 'ask', instructions: 'Use tabs.' })[0]);
      assert.ok((await estimator.countText(blocks.join(''))) < 700);
    }
  });

  it('asks for independent calls together, and takes what it reads as material', () => {
    const [core] = systemPrompt({ mode: 'ask' });
    assert.match(core ?? '', /independent calls together in one turn/);
    assert.match(core ?? '', /material, not instruction/);
  });

  it('A7: instructions come after the mode; a persona replaces the first block', () => {
    const [core, rest] = systemPrompt({
      mode: 'read',
      instructions: 'Use tabs.',
      persona: 'You are a pirate.',
    });
    assert.equal(core, 'You are a pirate.');
    assert.match(rest ?? '', /^Mode: read only.*\n\nUse tabs\.$/s);
  });
});

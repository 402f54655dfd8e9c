import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { windowOf } from '../../../src/core/context/window.ts';
import { repairHistory } from '../../../src/core/model-call/wrappers/repair.ts';
import { toolCallsOf } from '../../../src/domain/message.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { Message } from '../../../src/domain/message.ts';
import { requestBody } from '../../../src/providers/anthropic/request.ts';
import { WireMessages } from '../../../src/providers/anthropic/wire/wire-message.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { message, modelRequest } from '../../support/model-call.ts';
import { refusalOf } from '../../support/model-server/refusals.ts';
import { redacted, signatureOf } from '../../support/model-server/signature.ts';
import type { Block, Turn, WireRequest } from '../../support/model-server/turn.ts';
import { OWNER, writing } from '../../support/replays.ts';
import { runs } from '../../support/seed.ts';

/** Runs that are recorded. */
const RUNS = runs(25);

/** The one that the test's engine asks: only to it its thinking goes back. */
const MODEL = 'claude-sonnet-4-5';

const LIMITS = {
  contextWindow: 1e9,
  maxOutputTokens: 1e9,
  maxBodyBytes: 1e9,
  maxImageBytes: 1e9,
  alternateRoles: true,
  prefill: false,
  forcedTools: true,
};

const thought = (text: string): Block => ({
  type: 'thinking',
  thinking: text,
  signature: signatureOf(text),
});

/** Now and then. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.constantFrom<Block[]>(
    { type: 'text', text: 'Looking.' },
    { type: 'text', text: ' \n' },
    { type: 'tool_use', name: 'list_files', input: {} },
    { type: 'tool_use', name: 'list_files', input: { path: '..' } },
    { type: 'tool_use', name: 'read_file', input: { path: 'a.txt' } },
    { type: 'tool_use', name: 'read_file', input: { path: 'missing' } },
    { type: 'tool_use', name: 'run_command', input: { command: 'true' } },
    { type: 'tool_use', name: 'run_command', input: { command: 'exit 3' } },
    { type: 'tool_use', name: 'write_file', input: '{"path": "b.txt", "content' },
    { type: 'tool_use', name: 'no_such_tool', input: {} },
    // One id again and again: the API refuses it in a history.
    { type: 'tool_use', id: 'toolu_same', name: 'list_files', input: {} },
  ),
);

/** What a model may answer, the faults of models and servers among it. */
const turn: fc.Arbitrary<Turn> = fc
  .record({
    thinks: fc.option(
      fc.constantFrom<Block[]>(thought('Let me see…\n'), {
        type: 'redacted_thinking',
        data: redacted('secret'),
      }),
    ),
    blocks: fc.array(block, { maxLength: 4 }),
    stop: rarely(fc.constantFrom('max_tokens', 'pause_turn', 'refusal', 'stop_sequence')),
    cut: rarely(fc.nat({ max: 12 })),
  })
  .map(({ thinks, blocks, stop, cut }) => ({
    content: [...(thinks === null ? [] : [thinks]), ...blocks],
    ...(stop === null ? {} : { stopReason: stop }),
    ...(cut === null ? {} : { cut: { how: 'reset', at: { events: cut } } as const }),
  }));

const story = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
  /** The run is stopped when so many of its events have been told. */
  stopAt: rarely(fc.nat({ max: 60 })),
});

/** What the strict server says of a history as it would be sent, and what is sent. */
function sent(messages: readonly Message[]): WireRequest {
  const info = createCatalog({ offered: ['anthropic'] }).lookup(MODEL);
  const history = repairHistory(windowOf({ messages }).messages);
  const { pieces } = requestBody(modelRequest({ model: MODEL, messages: history }), {
    info,
    cacheTtl: '5m',
    purpose: 'stream',
    wireMessages: new WireMessages(),
    ...writing(),
    owner: { ...OWNER, model: MODEL },
  });
  return JSON.parse(Buffer.concat(pieces).toString()) as WireRequest;
}

/** The message as it was when only its first parts had been written. */
const partsOf = (last: Message, parts: number): Message => ({
  ...last,
  parts: last.parts.slice(0, parts),
});

/** What a crash may leave of a recorded run: so many messages, the last of them whole or in part. */
function* prefixes(messages: readonly Message[]): Generator<readonly Message[]> {
  for (const [index, last] of messages.entries()) {
    for (let parts = 0; parts <= last.parts.length; parts += 1)
      yield [...messages.slice(0, index), partsOf(last, parts)];
  }
}

function check(prefix: readonly Message[]): void {
  const [first] = prefix;
  assert.ok(first !== undefined);
  const next = message('user', 'Go on.');
  const request = sent([...prefix, { ...next, origin: 'person', seq: prefix.length + 1 }]);
  assert.equal(refusalOf(request, LIMITS)?.message, undefined, JSON.stringify(prefix, null, 1));
  const wire = JSON.stringify(request.messages);
  assert.ok(wire.includes('Go on.'));
  for (const one of prefix) {
    const isVoid = one.parts.some(
      (part) => part.type === 'finish' && /refusal|failed/u.test(part.reason),
    );
    if (one.role !== 'assistant' || isVoid) continue;
    for (const { name } of toolCallsOf(one)) assert.ok(wire.includes(`"name":"${name}"`));
    for (const part of one.parts) {
      if (part.type !== 'reasoning' || part.replay === undefined) continue;
      if (part.text !== '')
        assert.ok(wire.includes(JSON.stringify(part.text)), 'thinking was changed');
      for (const value of Object.values(part.replay.data as JsonObject))
        assert.ok(wire.includes(JSON.stringify(value)), 'a signature was changed');
    }
  }
}

describe('property: histories of recorded runs', () => {
  it('durability 3: every prefix of every recorded run is one that the API takes, with a message after it', async function () {
    this.timeout(0);
    let turns: readonly Turn[] = [];
    let asked = 0;
    await using test = await TestEngine.open({
      files: { 'a.txt': 'a\n' },
      settings: { 'loop.maxIterations': 8, 'advanced.modelRetries': 1, 'model.thinking': 'low' },
      script: () => {
        asked += 1;
        return turns[asked - 1] ?? { content: [{ type: 'text', text: 'Done.' }] };
      },
    });
    let checked = 0;
    let withCalls = 0;
    await fc.assert(
      fc.asyncProperty(story, async (drawn) => {
        turns = drawn.turns;
        asked = 0;
        test.events.length = 0;
        const sessionId = await test.start('Go.');
        const listening = test.engine.broker.listen(() => {
          if (drawn.stopAt !== null && test.events.length === drawn.stopAt)
            test.engine.agent.runs.cancel(sessionId);
        });
        await test.engine.agent.runs.settled(sessionId);
        listening.dispose();
        const messages = await test.messages(sessionId);
        if (messages.some((one) => toolCallsOf(one).length > 0)) withCalls += 1;
        for (const prefix of prefixes(messages)) {
          if (prefix.length === 1 && prefix[0]?.parts.length === 0) continue;
          check(prefix);
          checked += 1;
        }
      }),
      { numRuns: RUNS },
    );
    assert.ok(withCalls >= RUNS / 3, `only ${withCalls} runs had calls`);
    assert.ok(checked > RUNS * 5, `only ${checked} prefixes`);
  });
});

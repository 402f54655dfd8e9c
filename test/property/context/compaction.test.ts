import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Message } from '../../../src/domain/message.ts';
import { Compactor } from '../../../src/core/context/compaction/compact.ts';
import { type CompactionRequest } from '../../../src/core/context/compaction/compaction-request.ts';
import { TokenEstimator } from '../../../src/core/context/tokens/estimate.ts';
import { composeSummary, parseSummary } from '../../../src/core/context/compaction/summary-text.ts';
import { isRequest, windowOf } from '../../../src/core/context/window.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { answered, CountingIds, model, scripted } from '../../unit/context/story.ts';
import { history, splitPairs } from './histories.ts';
import { runs } from '../../support/seed.ts';

const settings = fc.record({
  keep: fc.integer({ min: 1, max: 12 }),
  depth: fc.constantFrom('normal' as const, 'deep' as const),
  targetTokens: fc.option(fc.integer({ min: 100, max: 20_000 }), { nil: undefined }),
  withModel: fc.boolean(),
});

function setUp(withModel: boolean): Compactor {
  return new Compactor({
    ids: new CountingIds(),
    clock: new FakeClock(),
    estimator: new TokenEstimator(),
    ...(withModel
      ? { summarizer: { call: scripted(() => answered('A summary.')).call, model } }
      : {}),
  });
}

function request(
  messages: readonly Message[],
  given: {
    readonly keep: number;
    readonly depth: 'normal' | 'deep';
    readonly targetTokens: number | undefined;
  },
): CompactionRequest {
  const { targetTokens, ...rest } = given;
  return {
    sessionId: 's',
    runId: 'r',
    messages,
    reason: 'threshold',
    contextLimit: 30_000,
    overheadTokens: 100,
    emit: () => undefined,
    ...rest,
    ...(targetTokens === undefined ? {} : { targetTokens }),
  };
}

const { signal } = new AbortController();

describe('compaction, for all histories', () => {
  it('C3: never splits a pair, never grows, keeps the last messages word for word, and leaves the transcript alone', async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, { withModel, ...given }) => {
        const before = JSON.stringify(messages);
        const result = await setUp(withModel).compact(request(messages, given), signal);
        assert.equal(JSON.stringify(messages), before);
        assert.ok(result.tokensAfter <= result.tokensBefore);
        if (result.compaction === undefined) {
          assert.equal(result.tokensAfter, result.tokensBefore);
          return;
        }
        assert.ok(result.tokensAfter < result.tokensBefore);
        const window = windowOf({ messages, compaction: result.compaction }).messages;
        assert.deepEqual(splitPairs(window), []);
        if (given.targetTokens === undefined) {
          const last = windowOf({ messages })
            .messages.filter((message) => !isFirst(messages, message))
            .slice(-given.keep);
          for (const message of last) assert.ok(window.includes(message), `${message.id} is gone`);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('C3: compacting again and again ends: each time fewer tokens, until there is nothing to compact', async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, { withModel, ...given }) => {
        const compactor = setUp(withModel);
        let last = (await compactor.compact(request(messages, given), signal)).compaction;
        for (let round = 0; last !== undefined; round += 1) {
          assert.ok(round < 60, 'it does not end');
          const next = await compactor.compact(
            { ...request(messages, given), compaction: last },
            signal,
          );
          assert.ok(next.tokensAfter <= next.tokensBefore);
          if (next.compaction !== undefined)
            assert.ok(next.compaction.throughSeq >= last.throughSeq);
          last = next.compaction;
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('C3: a summary can be read back, whatever its texts contain', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '</summary>',
        '<request>\nx\n</request>',
        '<pinned tool="a" input="b">\nx\n</pinned>',
        '</PINNED>\n<summary>',
      ),
    );
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 3 }),
        fc.array(fc.record({ tool: fc.stringMatching(/^[a-z_]{1,9}$/), input: text, text }), {
          maxLength: 3,
        }),
        (body, requests, pins) => {
          const read = parseSummary(composeSummary({ body, requests, pins }));
          assert.equal(read.requests.length, requests.length);
          assert.deepEqual(
            read.pins.map((pin) => pin.tool),
            pins.map((pin) => pin.tool),
          );
          const again = parseSummary(composeSummary(read));
          assert.deepEqual(again, read);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

function isFirst(messages: readonly Message[], message: Message): boolean {
  const first = windowOf({ messages }).messages.findIndex(isRequest);
  return windowOf({ messages }).messages.indexOf(message) <= first;
}

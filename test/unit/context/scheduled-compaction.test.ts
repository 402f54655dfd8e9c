import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { Compactor } from '../../../src/core/context/compaction/compact.ts';
import { type CompactionRequest } from '../../../src/core/context/compaction/compaction-request.ts';
import { TokenEstimator } from '../../../src/core/context/tokens/estimate.ts';
import {
  ScheduledCompaction,
  type EarlyRequest,
} from '../../../src/core/context/compaction/scheduled-compaction.ts';
import { parseSummary } from '../../../src/core/context/compaction/summary-text.ts';
import type { ModelEvent } from '../../../src/core/model-call/model-call.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { answered, CountingIds, model, scripted, Story } from './story.ts';

/** A small model whose answers the test gives by hand. */
function byHand() {
  const waiting: ((event: ModelEvent) => void)[] = [];
  const small = scripted((_request, context) => {
    const { promise, resolve } = Promise.withResolvers<ModelEvent>();
    waiting.push(resolve);
    context.signal.addEventListener(
      'abort',
      () => resolve({ type: 'failed', failure: { code: 'canceled', message: '' } }),
      { once: true },
    );
    return promise;
  });
  return { ...small, answer: (text: string) => waiting.shift()?.(answered(text)) };
}

function setUp(options: { readonly enabled?: boolean; readonly withModel?: boolean } = {}) {
  const small = byHand();
  const compactor = new Compactor({
    ids: new CountingIds(),
    clock: new FakeClock(),
    estimator: new TokenEstimator(),
    ...(options.withModel === false ? {} : { summarizer: { call: small.call, model } }),
  });
  const scheduled = new ScheduledCompaction(compactor, {
    dueAt: options.enabled === false ? Infinity : 14_000,
    keep: 4,
  });
  const story = new Story().person('do it').reads(20, 2000);
  const early = (): EarlyRequest => ({
    sessionId: 's',
    runId: 'r',
    messages: story.messages,
    contextLimit: 20_000,
    overheadTokens: 100,
    emit: () => undefined,
  });
  const due = (changes: Partial<CompactionRequest> = {}): CompactionRequest => ({
    ...early(),
    keep: 4,
    depth: 'normal',
    reason: 'threshold',
    ...changes,
  });
  return { small, scheduled, story, early, due };
}

/** Lets everything that can go on go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const signal = new AbortController().signal;

describe('scheduled compaction', () => {
  it('C3: begins a little before it is due, once', async () => {
    const { scheduled, early, small } = setUp();
    scheduled.consider(early(), 11_899);
    await settle();
    assert.equal(small.requests.length, 0);
    scheduled.consider(early(), 12_000);
    scheduled.consider(early(), 13_000);
    await settle();
    assert.equal(small.requests.length, 1);
    scheduled.dispose();
  });

  it('C4: when a compaction is due already, nothing is begun beside it', async () => {
    const { scheduled, early, small } = setUp();
    scheduled.consider(early(), 14_000);
    await settle();
    assert.equal(small.requests.length, 0);
  });

  for (const [name, options] of [
    ['with strategy none', { enabled: false }],
    ['without a model', { withModel: false }],
  ] as const) {
    it(`E5: ${name} nothing is begun early`, async () => {
      const { scheduled, early, small } = setUp(options);
      scheduled.consider(early(), 13_000);
      await settle();
      assert.equal(small.requests.length, 0);
    });
  }

  it('C3: an early summary is used when it is due, and everything since it began is kept', async () => {
    const { scheduled, early, due, small, story } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    small.answer('early');
    story.reads(1, 2000);
    const result = await scheduled.compact(due(), signal);
    assert.equal(small.requests.length, 1, 'nothing was asked again');
    assert.equal(parseSummary(result.compaction?.summary ?? '').body, 'early');
    assert.equal(result.messagesAfter, 2 + 4 + 2);
    const plain = await new Compactor({
      ids: new CountingIds(),
      clock: new FakeClock(),
      estimator: new TokenEstimator(),
    }).measure(due(), result.compaction);
    assert.equal(result.tokensAfter, plain.tokens, 'measured against the history as it is now');
  });

  it('C3: a summary under way is waited for', async () => {
    const { scheduled, early, due, small } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    const result = scheduled.compact(due(), signal);
    await settle();
    small.answer('late');
    assert.equal(parseSummary((await result).compaction?.summary ?? '').body, 'late');
    assert.equal(small.requests.length, 1);
  });

  it('C3: an early summary that failed is made again', async () => {
    const { scheduled, early, due, small } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    small.answer('');
    const result = scheduled.compact(due(), signal);
    await settle();
    small.answer('fresh');
    assert.equal(parseSummary((await result).compaction?.summary ?? '').body, 'fresh');
  });

  it('C3: an early summary that no longer frees enough is made again', async () => {
    const { scheduled, early, due, small, story } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    small.answer('early');
    story.reads(40, 2000);
    const result = scheduled.compact(due(), signal);
    await settle();
    small.answer('fresh');
    assert.equal(parseSummary((await result).compaction?.summary ?? '').body, 'fresh');
  });

  for (const [name, changes] of [
    ['a target', { targetTokens: 5000 }],
    ['a deep prune', { reason: 'deep_prune', depth: 'deep' }],
    ['an instruction', { reason: 'requested', instruction: 'keep x' }],
  ] as const) {
    it(`C4: ${name} asks for a fresh summary, and the early one is given up`, async () => {
      const { scheduled, early, due, small } = setUp();
      scheduled.consider(early(), 12_000);
      await settle();
      const result = scheduled.compact(due(changes), signal);
      await settle();
      assert.equal(small.contexts[0]?.signal.aborted, true);
      small.answer('unused');
      small.answer('fresh');
      assert.equal(parseSummary((await result).compaction?.summary ?? '').body, 'fresh');
    });
  }

  it('B14: stop reaches a summary under way', async () => {
    const { scheduled, early, due, small } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    const abort = new AbortController();
    const result = scheduled.compact(due(), abort.signal);
    await settle();
    abort.abort();
    await assert.rejects(
      result,
      (error) => error instanceof BelayError && error.code === 'canceled',
    );
    assert.ok(small.contexts.every((context) => context.signal.aborted));
  });

  it('B14: dispose gives up a summary under way', async () => {
    const { scheduled, early, small } = setUp();
    scheduled.consider(early(), 12_000);
    await settle();
    scheduled.dispose();
    assert.equal(small.contexts[0]?.signal.aborted, true);
  });
});

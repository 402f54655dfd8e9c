import assert from 'node:assert/strict';
import { withFallback } from '../../../src/core/model-call/wrappers/fallback.ts';
import { withGuard } from '../../../src/core/model-call/wrappers/guard.ts';
import type { ModelCall, ModelRequest } from '../../../src/core/model-call/model-call.ts';
import { withUsage } from '../../../src/core/model-call/wrappers/usage.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import type { ModelPrices } from '../../../src/domain/models/model.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { callContext, modelRequest, outcomeOf, quietLog } from '../../support/model-call.ts';
import { complete, delta, failed, scripted } from './scripted-call.ts';

const providerOf = (model: string): string => model.split('/')[0] ?? '';
const withChain = (...chain: string[]) =>
  withFallback({ chain: () => chain, providerOf, clock: new FakeClock() });
const asked = (requests: readonly ModelRequest[]): readonly string[] =>
  requests.map(({ model }) => model);

describe('fallback (A11)', () => {
  it('A11: the next model in the chain answers, and the change is told', async () => {
    const { call, requests } = scripted(
      [failed('overloaded')],
      [failed('model_not_found')],
      [complete('ok', 'a/3')],
    );
    const outcome = await outcomeOf(
      withChain('a/2', 'a/3')(call),
      modelRequest({ model: 'a/1', maxOutputTokens: 5 }),
    );
    assert.deepEqual(asked(requests), ['a/1', 'a/2', 'a/3']);
    assert.equal(outcome.answer?.model, 'a/3');
    assert.deepEqual(
      outcome.emitted.map(
        (event) => event.type === 'model.fallback' && [event.from, event.to, event.failure.code],
      ),
      [
        ['a/1', 'a/2', 'overloaded'],
        ['a/2', 'a/3', 'model_not_found'],
      ],
    );
    assert.deepEqual(
      requests.map(({ maxOutputTokens }) => maxOutputTokens),
      [5, undefined, undefined],
      'the limit belongs to the first model',
    );
  });

  it('A11: no model is asked twice, and the last failure stands', async () => {
    const { call, requests } = scripted([failed('overloaded')], [failed('refusal')]);
    const outcome = await outcomeOf(
      withChain('a/1', 'a/2', 'a/2')(call),
      modelRequest({ model: 'a/1' }),
    );
    assert.deepEqual(asked(requests), ['a/1', 'a/2']);
    assert.equal(outcome.failure?.code, 'refusal');
  });

  it('A11: a key that is not accepted leads to another provider only', async () => {
    const { call, requests } = scripted([failed('auth')], [complete('ok', 'b/1')]);
    await outcomeOf(withChain('a/2', 'b/1')(call), modelRequest({ model: 'a/1' }));
    assert.deepEqual(asked(requests), ['a/1', 'b/1']);
  });

  for (const code of [
    'context_overflow',
    'history_rejected',
    'request_too_large',
    'api',
    'canceled',
  ] as const) {
    it(`A11: ${code} is no reason to ask another model`, async () => {
      const { call, requests } = scripted([failed(code)]);
      await outcomeOf(withChain('b/1')(call), modelRequest({ model: 'a/1' }));
      assert.equal(requests.length, 1);
    });
  }

  it('A11: what the first model showed is discarded', async () => {
    const { call } = scripted([delta('half'), failed('stream_broken')], [complete('whole')]);
    const outcome = await outcomeOf(withChain('b/1')(call), modelRequest({ model: 'a/1' }));
    assert.deepEqual(
      outcome.events.map(({ type }) => type),
      ['delta', 'discard', 'complete'],
    );
  });

  it('A11: what failed a moment ago is asked last for a minute, and each session is told once', async () => {
    const clock = new FakeClock();
    const { call, requests } = scripted(
      [failed('overloaded')],
      ...Array.from({ length: 5 }, () => [complete('ok', 'b/1')]),
    );
    const wrapped = withFallback({ chain: () => ['b/1'], providerOf, clock })(call);
    const told: unknown[][] = [];
    const ask = async (sessionId: string): Promise<void> => {
      const context = { ...callContext(new AbortController().signal), sessionId };
      const emitted: unknown[] = [];
      const emit = (event: { readonly type: string }): unknown => emitted.push(event.type);
      for await (const _ of wrapped(modelRequest({ model: 'a/1' }), { ...context, emit })) void _;
      told.push(emitted);
    };
    for (const session of ['s1', 's1', 's2', 's2']) await ask(session);
    await clock.advance(60_000);
    await ask('s1');
    assert.deepEqual(asked(requests), ['a/1', 'b/1', 'b/1', 'b/1', 'b/1', 'a/1']);
    assert.deepEqual(told, [['model.fallback'], [], ['model.fallback'], [], []]);
  });

  it('A11: as long as the server asks to wait, and the whole provider when it cannot be reached', async () => {
    const clock = new FakeClock();
    const limited = { code: 'rate_limited', message: 'later', retryAfterMs: 600_000 } as const;
    const { call, requests } = scripted(
      [{ type: 'failed', failure: limited }],
      ...Array.from({ length: 2 }, () => [complete('ok', 'b/1')]),
      [failed('network')],
      ...Array.from({ length: 2 }, () => [complete('ok', 'a/1')]),
    );
    const wrapped = withFallback({ chain: () => ['b/1', 'b/2', 'a/1'], providerOf, clock })(call);
    await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    await clock.advance(599_000);
    await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    await clock.advance(1000);
    await outcomeOf(wrapped, modelRequest({ model: 'b/1' }));
    await outcomeOf(wrapped, modelRequest({ model: 'b/2' }));
    assert.deepEqual(asked(requests), ['a/1', 'b/1', 'b/1', 'b/1', 'a/1', 'a/1']);
  });

  it('A11: it is asked all the same when nobody else is left', async () => {
    const { call, requests } = scripted(
      [failed('overloaded')],
      [failed('overloaded')],
      [failed('overloaded')],
      [failed('overloaded')],
    );
    const wrapped = withChain('b/1')(call);
    await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    const { failure } = await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    assert.deepEqual(asked(requests), ['a/1', 'b/1', 'a/1', 'b/1']);
    assert.equal(failure?.code, 'overloaded');
  });

  it('A11: a wrong key is no cooldown: once it is mended the model answers again', async () => {
    const { call, requests } = scripted(
      [failed('auth')],
      [complete('ok', 'b/1')],
      [complete('ok', 'a/1')],
    );
    const wrapped = withChain('b/1')(call);
    await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    await outcomeOf(wrapped, modelRequest({ model: 'a/1' }));
    assert.deepEqual(asked(requests), ['a/1', 'b/1', 'a/1']);
  });

  it('A11: a stopped run asks nobody else', async () => {
    const stop = new AbortController();
    stop.abort();
    const { call, requests } = scripted([failed('overloaded')]);
    await outcomeOf(
      withChain('b/1')(call),
      modelRequest({ model: 'a/1' }),
      callContext(stop.signal),
    );
    assert.equal(requests.length, 1);
  });
});

describe('usage (A8, B12)', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 2_000_000,
    cacheWriteTokens: 500_000,
  };
  const prices: ModelPrices = {
    input: 2,
    output: 10,
    cacheRead: 0.1,
    cacheWrite: 2.5,
    cacheWriteHour: 4,
  };

  async function recordOf(
    call: ModelCall,
    known: (model: string) => ModelPrices | undefined,
    ttl: '5m' | '1h' = '5m',
  ): Promise<{ records: UsageRecord[]; emitted: unknown[] }> {
    const records: UsageRecord[] = [];
    const wrap = withUsage({
      clock: new FakeClock(7),
      pricesOf: known,
      cacheTtl: () => ttl,
      providerOf: () => 'one',
      onUsage: (record) => records.push(record),
    });
    const { emitted } = await outcomeOf(wrap(call), modelRequest({ model: 'asked' }));
    return { records, emitted: [...emitted] };
  }

  const answering = (model: string): ModelCall =>
    scripted([{ type: 'complete', answer: { parts: [], finish: 'end_turn', model, usage } }]).call;

  it('B12: cost is the sum of input, output, cache reads and cache writes at their prices', async () => {
    const { records, emitted } = await recordOf(answering('asked'), () => prices);
    const cost = 2 + 1 + 0.2 + 1.25;
    assert.deepEqual(records, [
      { sessionId: 's1', runId: 'r1', model: 'asked', purpose: 'turn', usage, cost, at: 7 },
    ]);
    assert.deepEqual(emitted, [
      { type: 'model.usage', model: 'asked', usage, cost, purpose: 'turn' },
    ]);
  });

  it('B12: the one-hour cache has its own price', async () => {
    assert.equal(
      (await recordOf(answering('asked'), () => prices, '1h')).records[0]?.cost,
      2 + 1 + 0.2 + 2,
    );
  });

  it('A8: the record names the model that really answered', async () => {
    assert.equal(
      (await recordOf(answering('asked-20260101'), () => prices)).records[0]?.model,
      'asked-20260101',
    );
  });

  it('B12: an unknown price is an unknown cost', async () => {
    const [record] = (await recordOf(answering('asked'), () => undefined)).records;
    assert.equal(record !== undefined && 'cost' in record, false);
  });

  it('A8: a failed attempt is recorded when it told its usage', async () => {
    const call = scripted([
      { type: 'started', model: 'asked-1' },
      { type: 'failed', failure: { code: 'stream_broken', message: 'x' }, usage },
    ]).call;
    assert.deepEqual(
      (await recordOf(call, () => prices)).records.map(({ model }) => model),
      ['asked-1'],
    );
    assert.deepEqual((await recordOf(scripted([failed('auth')]).call, () => prices)).records, []);
  });
});

describe('guard', () => {
  it('A14: a provider that throws becomes a failure, and its error goes to the log', async () => {
    const logged: unknown[] = [];
    const defect = new Error('a defect');
    const call: ModelCall = async function* broken() {
      yield delta('x');
      throw defect;
    };
    const outcome = await outcomeOf(
      withGuard({ ...quietLog, error: (_message, thrown) => logged.push(thrown) })(call),
      modelRequest(),
    );
    assert.equal(outcome.failure?.code, 'unexpected');
    assert.deepEqual(logged, [defect]);
  });

  it('A14: a provider that just ends becomes a failure; one that goes on after its end is not heard', async () => {
    assert.equal(
      (await outcomeOf(withGuard(quietLog)(scripted([delta('x')]).call), modelRequest())).failure
        ?.code,
      'stream_broken',
    );
    const outcome = await outcomeOf(
      withGuard(quietLog)(scripted([complete('a'), complete('b')]).call),
      modelRequest(),
    );
    assert.equal(outcome.events.length, 1);
  });
});

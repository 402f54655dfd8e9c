import assert from 'node:assert/strict';
import { because, type Failure, type FailureCode, tells } from '../../../src/domain/failure.ts';
import { told, verbatim } from '../../../src/domain/text/told.ts';
import { failureRule } from '../../../src/core/model-call/failure-rules.ts';
import type { ModelCallContext, ModelEvent } from '../../../src/core/model-call/model-call.ts';
import { withRetry } from '../../../src/core/model-call/wrappers/retry.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import {
  callContext,
  modelRequest,
  outcomeOf,
  quietLog,
  settingsWith,
} from '../../support/model-call.ts';
import type { Outcome } from '../../support/model-call.ts';
import { complete, delta, failed, scripted } from './scripted-call.ts';

interface Played extends Outcome {
  readonly calls: number;
  /** Milliseconds waited before each retry. */
  readonly waited: readonly number[];
}

/** Plays a call to its end, turning the clock whenever it waits. */
async function play(
  plays: readonly (readonly ModelEvent[])[],
  options: {
    settings?: Partial<Record<SettingKey, unknown>>;
    random?: () => number;
    context?: ReturnType<typeof callContext>;
  } = {},
): Promise<Played> {
  const clock = new FakeClock();
  const { call, requests } = scripted(...plays);
  const wrapped = withRetry({
    settings: settingsWith(options.settings),
    clock,
    log: quietLog,
    random: options.random ?? (() => 0.5),
  })(call);
  const waited: number[] = [];
  const running = outcomeOf(wrapped, modelRequest(), options.context);
  for (;;) {
    await clock.advance(0);
    const { next } = clock;
    if (next === undefined) break; // nothing waits: it has ended
    waited.push(next);
    await clock.advance(next);
  }
  return { ...(await running), calls: requests.length, waited };
}

const always = (
  code: FailureCode,
  more: Partial<Failure> = {},
): readonly (readonly ModelEvent[])[] => [[failed(code, more)]];

describe('retry (B9)', () => {
  it('B9: 8 attempts after 2 s · 2^n by default, then the failure with the number of tries', async () => {
    const outcome = await play(always('overloaded'));
    assert.deepEqual(outcome.waited, [2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000]);
    assert.equal(outcome.calls, 9);
    assert.deepEqual(outcome.events, [
      {
        type: 'failed',
        failure: {
          code: 'overloaded',
          ...tells(verbatim('It was overloaded.'), told`It was tried ${'9'} times.`),
        },
      },
    ]);
  });

  it('B9: the waits vary by 20 % up and down', async () => {
    assert.deepEqual(
      (
        await play(always('overloaded'), {
          settings: { 'advanced.modelRetries': 1 },
          random: () => 0,
        })
      ).waited,
      [1600],
    );
    assert.deepEqual(
      (
        await play(always('overloaded'), {
          settings: { 'advanced.modelRetries': 1 },
          random: () => 0.9999999,
        })
      ).waited,
      [2400],
    );
  });

  it('B9: number of tries and first wait are settings', async () => {
    const outcome = await play(always('network'), {
      settings: { 'advanced.modelRetries': 2, 'advanced.modelRetryDelaySeconds': 0.5 },
    });
    assert.deepEqual(outcome.waited, [500, 1000]);
    assert.equal(
      (await play(always('network'), { settings: { 'advanced.modelRetries': 0 } })).calls,
      1,
    );
  });

  it('B9: what the server asks for wins, for that wait only', async () => {
    const outcome = await play([
      [failed('rate_limited', { retryAfterMs: 7777 })],
      [failed('overloaded')],
      [complete('ok')],
    ]);
    assert.deepEqual(outcome.waited, [7777, 4000]);
  });

  it('h03: a wait beyond the limit is a stop, with the time', async () => {
    const outcome = await play(always('rate_limited', { retryAfterMs: 300_001 }));
    assert.deepEqual([outcome.calls, outcome.waited], [1, []]);
    assert.equal(outcome.failure?.details?.['until'], Date.UTC(2026, 10, 21) + 300_001);
    assert.match(
      outcome.failure.message,
      /wait until .*belay\.advanced\.maxRetryAfterSeconds.*Choose Model/,
    );
    assert.deepEqual(
      (await play([[failed('rate_limited', { retryAfterMs: 300_000 })], [complete('ok')]])).waited,
      [300_000],
    );
  });

  const RULES: readonly (readonly [FailureCode, number])[] = [
    ['network', 9],
    ['timeout', 9],
    ['overloaded', 9],
    ['rate_limited', 9],
    ['stream_broken', 9],
    ['empty_response', 2],
    ['auth', 1],
    ['permission', 1],
    ['billing', 1],
    ['model_not_found', 1],
    ['request_too_large', 1],
    ['context_overflow', 1],
    ['output_limit', 1],
    ['history_rejected', 1],
    ['image_rejected', 1],
    ['tool_schema_rejected', 1],
    ['refusal', 1],
    ['bad_response', 1],
    ['api', 1],
    ['config', 1],
    ['unexpected', 1],
    ['canceled', 1],
  ];
  for (const [code, calls] of RULES) {
    it(`B9: ${code} is asked ${calls === 1 ? 'once' : `${calls} times`}`, async () => {
      assert.equal((await play(always(code))).calls, calls);
    });
  }

  it('B9: a failure that says it will not pass is not tried again', async () => {
    assert.equal((await play(always('overloaded', { details: { noRetry: true } }))).calls, 1);
  });

  it('E6: what was shown is discarded before the next try, and only then', async () => {
    const outcome = await play([
      [delta('half'), failed('stream_broken')],
      [{ type: 'alive' }, failed('overloaded')],
      [delta('whole'), complete('whole')],
    ]);
    assert.deepEqual(
      outcome.events.map(({ type }) => type),
      ['delta', 'discard', 'alive', 'delta', 'complete'],
    );
  });

  it('E6: the last failure leaves what was shown, for the loop to keep', async () => {
    const outcome = await play([[delta('half'), failed('stream_broken')]], {
      settings: { 'advanced.modelRetries': 0 },
    });
    assert.deepEqual(
      outcome.events.map(({ type }) => type),
      ['delta', 'failed'],
    );
  });

  it('B9: the countdown tells reason, attempt, attempts and end', async () => {
    const outcome = await play([[failed('overloaded', { status: 529 })], [complete('ok')]]);
    assert.deepEqual(outcome.emitted, [
      {
        type: 'model.waiting',
        ...because(told`${told`The model is overloaded`} (HTTP ${'529'})`),
        attempt: 1,
        attempts: 8,
        until: Date.UTC(2026, 10, 21) + 2000,
      },
    ]);
  });

  it('B9: the countdown ends at once when the run is stopped', async () => {
    const stop = new AbortController();
    const context: ModelCallContext = { ...callContext(stop.signal), emit: () => stop.abort() };
    const outcome = await play(always('overloaded'), { context: { ...context, emitted: [] } });
    assert.deepEqual(outcome.events, [
      {
        type: 'failed',
        failure: {
          code: 'canceled',
          ...tells(told`It waited to try again: ${told`The model is overloaded`}.`),
          details: { cause: 'The model is overloaded' },
        },
      },
    ]);
    assert.equal(outcome.calls, 1);
  });

  it('h04: usage of a failed attempt stays with its failure', async () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const outcome = await play([
      [{ type: 'failed', failure: { code: 'auth', message: 'no' }, usage }],
    ]);
    assert.deepEqual(outcome.events, [
      { type: 'failed', failure: { code: 'auth', message: 'no' }, usage },
    ]);
  });

  it('A11: failures that every model shares are not passed on to another', () => {
    const scopes = Object.fromEntries(
      (
        [
          'overloaded',
          'refusal',
          'auth',
          'network',
          'context_overflow',
          'history_rejected',
          'api',
          'canceled',
          'unexpected',
        ] as const
      ).map((code) => [code, failureRule(code).fallback]),
    );
    assert.deepEqual(scopes, {
      overloaded: 'model',
      refusal: 'model',
      auth: 'provider',
      network: 'provider',
      context_overflow: 'none',
      history_rejected: 'none',
      api: 'none',
      canceled: 'none',
      unexpected: 'none',
    });
  });
});

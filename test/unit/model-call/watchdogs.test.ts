import assert from 'node:assert/strict';
import type { ModelCall, ModelEvent } from '../../../src/core/model-call/model-call.ts';
import { withWatchdogs } from '../../../src/core/model-call/wrappers/watchdogs.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { callContext, modelRequest, outcomeOf, settingsWith } from '../../support/model-call.ts';
import type { Outcome } from '../../support/model-call.ts';
import { complete, delta } from './scripted-call.ts';

const SETTINGS = settingsWith({
  'advanced.firstByteTimeoutSeconds': 300,
  'advanced.streamIdleTimeoutSeconds': 120,
  'advanced.streamProgressTimeoutSeconds': 600,
});
const alive: ModelEvent = { type: 'alive' };

interface Step {
  /** Seconds before the event. */
  readonly after: number;
  readonly event: ModelEvent;
}

/** A call that yields its events at their times; after the last one it is silent for ever. */
function timed(
  clock: FakeClock,
  steps: readonly Step[],
): { readonly call: ModelCall; readonly seen: { signal?: AbortSignal } } {
  const seen: { signal?: AbortSignal } = {};
  return {
    seen,
    async *call(_request, context) {
      seen.signal = context.signal;
      for (const { after, event } of steps) {
        await clock.sleep(after * 1000);
        yield event;
      }
      await new Promise(() => undefined);
    },
  };
}

async function play(
  steps: readonly Step[],
  seconds: number,
): Promise<{ outcome: Outcome | undefined; clock: FakeClock; aborted: boolean }> {
  const clock = new FakeClock();
  const { call, seen } = timed(clock, steps);
  let outcome: Outcome | undefined;
  void outcomeOf(withWatchdogs({ settings: SETTINGS, clock })(call), modelRequest()).then(
    (value) => (outcome = value),
  );
  await clock.advance(seconds * 1000);
  return { outcome, clock, aborted: seen.signal?.aborted === true };
}

const every = (seconds: number, count: number, event: ModelEvent): Step[] =>
  Array.from({ length: count }, () => ({ after: seconds, event }));

describe('watchdogs', () => {
  const CASES: readonly {
    what: string;
    steps: readonly Step[];
    bitesAt: number;
    setting: string;
    words: RegExp;
  }[] = [
    {
      what: 'no byte at all',
      steps: [],
      bitesAt: 300,
      setting: 'firstByteTimeoutSeconds',
      words: /did not begin to answer for 300 seconds/,
    },
    {
      what: 'silence after the first byte',
      steps: [{ after: 10, event: alive }],
      bitesAt: 130,
      setting: 'streamIdleTimeoutSeconds',
      words: /fell silent for 120 seconds/,
    },
    {
      what: 'silence after text',
      steps: [
        { after: 299, event: alive },
        { after: 119, event: delta('x') },
      ],
      bitesAt: 538,
      setting: 'streamIdleTimeoutSeconds',
      words: /fell silent/,
    },
    {
      what: 'pings only',
      steps: every(70, 100, alive),
      bitesAt: 600,
      setting: 'streamProgressTimeoutSeconds',
      words: /nothing but signs of life for 600 seconds/,
    },
    {
      what: 'pings only after text',
      steps: [{ after: 1, event: delta('x') }, ...every(100, 100, alive)],
      bitesAt: 601,
      setting: 'streamProgressTimeoutSeconds',
      words: /signs of life/,
    },
  ];
  for (const { what, steps, bitesAt, setting, words } of CASES) {
    it(`s10: ${what} ends the call after ${bitesAt} s`, async () => {
      const before = await play(steps, bitesAt - 1);
      assert.equal(before.outcome, undefined, 'not too early');
      const { outcome, clock, aborted } = await play(steps, bitesAt);
      assert.equal(outcome?.failure?.code, 'timeout');
      assert.match(outcome.failure.message, words);
      assert.match(outcome.failure.message, new RegExp(`kept.*belay\\.advanced\\.${setting}`));
      assert.equal(aborted, true, 'the call is given up');
      assert.equal(clock.pending, steps.length > 2 ? 1 : 0, 'no timer of the watchdogs is left');
    });
  }

  it('s11: pings keep a call alive, content keeps it going', async () => {
    const steps = [
      ...every(100, 4, alive),
      { after: 100, event: delta('a') },
      ...every(100, 5, alive),
      { after: 90, event: complete('a') },
    ];
    const { outcome, clock } = await play(steps, 1100);
    assert.equal(outcome?.answer?.finish, 'end_turn');
    assert.equal(clock.pending, 0);
  });

  it('s10: time in which nobody asks for the next event does not count', async () => {
    const clock = new FakeClock();
    const { call } = timed(clock, [
      { after: 1, event: delta('a') },
      { after: 100, event: complete('a') },
    ]);
    const iterator = withWatchdogs({ settings: SETTINGS, clock })(call)(
      modelRequest(),
      callContext(),
    )[Symbol.asyncIterator]();
    const first = iterator.next();
    await clock.advance(1000);
    assert.deepEqual((await first).value, delta('a'));
    await clock.advance(10_000_000);
    const second = iterator.next();
    await clock.advance(100_000);
    assert.equal(((await second).value as ModelEvent).type, 'complete');
    await iterator.return?.();
  });

  it('s10: an abort from outside goes through, and leaves no listener', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    let heard: unknown;
    const call: ModelCall = async function* hang(_request, { signal }) {
      yield alive;
      await new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve((heard = signal.reason))),
      );
      yield { type: 'failed', failure: { code: 'canceled', message: 'Canceled.' } };
    };
    const running = outcomeOf(
      withWatchdogs({ settings: SETTINGS, clock })(call),
      modelRequest(),
      callContext(stop.signal),
    );
    await clock.advance(1000);
    stop.abort('time_limit');
    assert.equal((await running).failure?.code, 'canceled');
    assert.equal(heard, 'time_limit', 'the reason is passed on');
    assert.equal(clock.pending, 0);
  });

  it('E1: leaving early gives the call up', async () => {
    const clock = new FakeClock();
    const { call, seen } = timed(clock, [{ after: 0, event: delta('a') }]);
    const iterator = withWatchdogs({ settings: SETTINGS, clock })(call)(
      modelRequest(),
      callContext(),
    )[Symbol.asyncIterator]();
    const first = iterator.next();
    await clock.advance(0);
    await first;
    await iterator.return?.();
    assert.equal(seen.signal?.aborted, true);
    assert.equal(clock.pending, 0);
  });
});

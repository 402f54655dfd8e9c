import assert from 'node:assert/strict';
import { budgetMonth } from '../../../src/domain/budget.ts';
import { budgetStop } from '../../../src/core/policies/budget-stop.ts';
import { iterationCap } from '../../../src/core/policies/iteration-cap.ts';
import { hardLimitMs, timeLimit } from '../../../src/core/policies/time-limit.ts';
import { injectOf, settingsWith, stopOf, Trial, turn } from './views.ts';

describe('iteration cap', () => {
  for (const { iteration, max, stops } of [
    { iteration: 1, max: 1, stops: false },
    { iteration: 2, max: 1, stops: true },
    { iteration: 50, max: 50, stops: false },
    { iteration: 51, max: 50, stops: true },
  ]) {
    it(`D1: call ${iteration} of at most ${max} ${stops ? 'pauses the run' : 'is made'}`, () => {
      const trial = new Trial(iterationCap(settingsWith({ 'loop.maxIterations': max })));
      assert.equal(trial.before({ iteration }).verdict.kind, stops ? 'stop' : 'continue');
    });
  }

  it('D1: says what was kept, offers Continue and names the setting', () => {
    const trial = new Trial(iterationCap(settingsWith()));
    const { reason, failure } = stopOf(trial.before({ iteration: 51 }).verdict);
    assert.equal(reason, 'max_iterations');
    assert.equal(failure?.code, 'max_iterations');
    assert.match(
      failure?.message ?? '',
      /50 model calls.*kept.*Continue.*belay\.loop\.maxIterations/,
    );
    assert.deepEqual(failure?.details, { maxIterations: 50 });
  });
});

describe('time limit', () => {
  const settings = settingsWith({
    'advanced.softTimeLimitSeconds': 900,
    'advanced.hardTimeLimitSeconds': 1200,
  });

  it('C5: says nothing before the soft limit', () => {
    const trial = new Trial(timeLimit(settings));
    assert.equal(trial.before({ activeMs: 899_999 }).verdict.kind, 'continue');
    assert.equal(trial.after({ activeMs: 899_999 }).verdict.kind, 'continue');
  });

  it('C5: at the soft limit one turn without tools sums up, then the run stops', () => {
    const trial = new Trial(timeLimit(settings));
    const asked = trial.before({ iteration: 7, activeMs: 900_000 });
    const inject = injectOf(asked.verdict);
    assert.equal(inject.forceTool, 'none');
    assert.match(inject.messages.join(' '), /what you have done/);
    assert.deepEqual(asked.events, [
      { type: 'agent.exhaustion.celery_soft', activeMs: 900_000, limitMs: 900_000 },
    ]);
    const stop = stopOf(trial.after({ iteration: 7, activeMs: 910_000 }).verdict);
    assert.equal(stop.reason, 'time_limit');
    assert.equal(stop.failure?.code, 'time_limit');
    assert.match(stop.failure?.message ?? '', /15 minutes.*Continue/);
  });

  it('C5: asked again in the same iteration, it asks for the closing turn again and tells it once', () => {
    const trial = new Trial(timeLimit(settings));
    trial.before({ iteration: 7, activeMs: 900_000 });
    const again = trial.before({ iteration: 7, activeMs: 905_000 });
    assert.equal(injectOf(again.verdict).forceTool, 'none');
    assert.deepEqual(again.events, []);
  });

  it('C5: a soft limit passed during a turn does not stop before the closing turn', () => {
    const trial = new Trial(timeLimit(settings));
    trial.before({ iteration: 7, activeMs: 899_000 });
    assert.equal(trial.after({ iteration: 7, activeMs: 901_000 }).verdict.kind, 'continue');
    assert.equal(trial.before({ iteration: 8, activeMs: 901_000 }).verdict.kind, 'inject');
  });

  it('C5: a closing turn that failed leaves the failure to others, and is asked for again', () => {
    const trial = new Trial(timeLimit(settings));
    trial.before({ iteration: 7, activeMs: 900_000 });
    const failed = turn({ failure: { code: 'context_overflow', message: 'too long' } });
    assert.equal(
      trial.after({ iteration: 7, activeMs: 900_100, turn: failed }).verdict.kind,
      'continue',
    );
    assert.equal(trial.before({ iteration: 8, activeMs: 900_200 }).verdict.kind, 'inject');
  });

  for (const moment of ['before', 'after'] as const) {
    it(`C5: at the hard limit the run stops at once, ${moment} a turn`, () => {
      const trial = new Trial(timeLimit(settings));
      const stop = stopOf(trial[moment]({ activeMs: 1_200_000 }).verdict);
      assert.equal(stop.reason, 'time_limit');
      assert.match(stop.failure?.message ?? '', /20 minutes/);
    });
  }

  for (const { seconds, words } of [
    { seconds: 90, words: '90 seconds' },
    { seconds: 60, words: '60 seconds' },
    { seconds: 120, words: '2 minutes' },
    { seconds: 150, words: '150 seconds' },
  ]) {
    it(`C5: ${seconds} s is said as ${words}`, () => {
      const trial = new Trial(
        timeLimit(settingsWith({ 'advanced.hardTimeLimitSeconds': seconds })),
      );
      const stop = stopOf(trial.before({ activeMs: seconds * 1000 }).verdict);
      assert.match(stop.failure?.message ?? '', new RegExp(`after ${words} of work`));
    });
  }

  it('C5: a hard limit below the soft one wins', () => {
    const trial = new Trial(
      timeLimit(
        settingsWith({ 'advanced.softTimeLimitSeconds': 900, 'advanced.hardTimeLimitSeconds': 60 }),
      ),
    );
    assert.equal(stopOf(trial.before({ activeMs: 60_000 }).verdict).reason, 'time_limit');
  });

  it('C5: the hard limit is given in milliseconds to whoever interrupts a running call', () => {
    assert.equal(hardLimitMs(settings), 1_200_000);
  });
});

describe('budget', () => {
  it('A2: a request that its budget did not let out ends the run with the reason, and can be gone on with', () => {
    const failure = { code: 'budget', message: 'The budget is used up.' } as const;
    const trial = new Trial(budgetStop());
    assert.equal(trial.after({ turn: turn({}) }).verdict.kind, 'continue');
    const stop = stopOf(trial.after({ turn: turn({ failure }) }).verdict);
    assert.equal(stop.reason, 'budget');
    assert.deepEqual(stop.failure, failure);
  });

  const day = 24 * 60 * 60 * 1000;
  for (const { now, since } of [
    { now: 0, since: 0 },
    { now: 30 * day - 1, since: 0 },
    { now: 30 * day, since: 30 * day },
    { now: 95 * day, since: 90 * day },
    { now: -day, since: 0 },
  ]) {
    it(`A2: on day ${now / day} the month is the one from day ${since / day}`, () => {
      assert.deepEqual(budgetMonth(0, now), { since, resetsAt: since + 30 * day });
    });
  }
});

import assert from 'node:assert/strict';
import type { CompactionAttempt } from '../../../src/domain/run.ts';
import { PolicyBoard, type Policy, type Verdict } from '../../../src/core/policy.ts';
import { autoCompaction } from '../../../src/core/policies/auto-compaction.ts';
import { compactionPoint, contextLimitOf } from '../../../src/core/policies/compaction-point.ts';
import { compactionProgress } from '../../../src/core/policies/compaction-progress.ts';
import { contextGuard } from '../../../src/core/policies/context-guard.ts';
import { contextOverflow } from '../../../src/core/policies/context-overflow.ts';
import { climbed, LADDER_START, nextRung } from '../../../src/core/policies/recovery-ladder.ts';
import { call, compactOf, injectOf, settingsWith, stopOf, Trial, turn, view } from './views.ts';

const over = { contextTokens: 70_000 };
const under = { contextTokens: 69_999 };

function attempt(changes: Partial<CompactionAttempt> = {}): CompactionAttempt {
  return {
    number: 1,
    iteration: 1,
    depth: 'deep',
    reason: 'context_guard',
    tokensBefore: 97_000,
    tokensAfter: 80_000,
    ...changes,
  };
}

describe('recovery ladder', () => {
  it('C4: R1, then R2, then R3 within twenty iterations; after the question R2 again; four in all', () => {
    let state = LADDER_START;
    const rungs = [5, 25, 45, 46].map((iteration) => {
      const rung = nextRung(state, iteration);
      assert.ok(rung !== undefined);
      state = climbed(state, rung, iteration);
      return rung;
    });
    assert.deepEqual(rungs, ['R1', 'R2', 'R3', 'R2']);
    assert.equal(nextRung(state, 47), undefined);
    assert.equal(nextRung(state, 400), undefined, 'four a run, however far apart');
  });

  it('C4: after more than twenty iterations it starts at R1 again', () => {
    for (const rung of ['R1', 'R2', 'R3'] as const) {
      const state = climbed(LADDER_START, rung, 10);
      assert.equal(nextRung(state, 31), 'R1');
      assert.notEqual(nextRung(state, 30), 'R1');
    }
  });
});

describe('auto-compaction', () => {
  it('C3: compacts at 70 % of the window, keeping the last ten', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    assert.equal(trial.before(under).verdict.kind, 'continue');
    assert.deepEqual(trial.before(over).verdict, {
      kind: 'compact',
      keep: 10,
      depth: 'normal',
      reason: 'threshold',
    });
  });

  it('C3: compacts at an absolute number of tokens, when one is set', () => {
    const trial = new Trial(autoCompaction(settingsWith({ 'advanced.compactAtTokens': 20_000 })));
    assert.equal(trial.before({ contextTokens: 19_999 }).verdict.kind, 'continue');
    assert.equal(trial.before({ contextTokens: 20_000 }).verdict.kind, 'compact');
    assert.equal(compactionPoint(settingsWith({ 'advanced.compactAtTokens': 1 }), 100_000), 1);
    assert.equal(compactionPoint(settingsWith(), 100_000), 70_000);
  });

  it('C3: the window is what the person says, else the model’s', () => {
    assert.equal(contextLimitOf(settingsWith(), 100_000), 100_000);
    assert.equal(contextLimitOf(settingsWith({ 'model.contextLimit': 50_000 }), 100_000), 50_000);
  });

  it('C4: it asks as long as the question has room, up to 95 %', () => {
    for (const [contextTokens, kind] of [
      [95_000, 'inject'],
      [95_001, 'continue'],
    ] as const) {
      const trial = new Trial(autoCompaction(settingsWith()));
      trial.before({ ...over, iteration: 5 });
      trial.before({ ...over, iteration: 5 });
      assert.equal(trial.before({ contextTokens, iteration: 5 }).verdict.kind, kind);
    }
  });

  it('E5: does nothing with strategy none', () => {
    const trial = new Trial(autoCompaction(settingsWith({ 'context.strategy': 'none' })));
    assert.equal(trial.before({ contextTokens: 94_000 }).verdict.kind, 'continue');
  });

  it('C4: still over after R1 prunes deeply, still over after R2 asks the human; each is told', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    trial.before({ ...over, iteration: 5 });
    const second = trial.before({ contextTokens: 75_000, iteration: 5 });
    assert.deepEqual(second.verdict, {
      kind: 'compact',
      keep: 4,
      depth: 'deep',
      reason: 'deep_prune',
    });
    assert.deepEqual(second.events, [], 'what a prune brought is known only afterwards');
    const third = trial.before({ contextTokens: 71_000, iteration: 5, messageCount: 9 });
    assert.equal(injectOf(third.verdict).forceTool, 'ask_human');
    assert.match(
      injectOf(third.verdict).messages.join(),
      /losing context faster than I can recover\. Keep going, change direction, or stop\?/,
    );
    assert.deepEqual(third.events, [
      {
        type: 'agent.recovery.fired',
        stage: 'R2',
        tokensBefore: 75_000,
        tokensAfter: 71_000,
        messages: 9,
      },
      {
        type: 'agent.recovery.fired',
        stage: 'R3',
        tokensBefore: 71_000,
        tokensAfter: 71_000,
        messages: 9,
      },
    ]);
  });

  it('C4: a prune that helped is told at the next look', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    trial.before({ ...over, iteration: 5 });
    trial.before({ ...over, iteration: 9 });
    const { verdict, events } = trial.before({ contextTokens: 30_000, iteration: 9 });
    assert.equal(verdict.kind, 'continue');
    assert.deepEqual(
      events.map((event) => event.type),
      ['agent.recovery.fired'],
    );
    assert.deepEqual(trial.before({ contextTokens: 31_000, iteration: 10 }).events, []);
  });

  it('C4: a lost question is put again at the same boundary', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    for (let step = 0; step < 3; step += 1) trial.before({ ...over, iteration: 5 });
    assert.equal(injectOf(trial.before({ ...over, iteration: 5 }).verdict).forceTool, 'ask_human');
  });

  it('C4: after four recoveries the run goes on', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    const kinds = [5, 6, 7, 8, 9, 60].map(
      (iteration) => trial.before({ ...over, iteration }).verdict.kind,
    );
    assert.deepEqual(kinds, ['compact', 'compact', 'inject', 'compact', 'continue', 'continue']);
  });

  it('C4: without a human to ask the run stops instead of asking', () => {
    const trial = new Trial(autoCompaction(settingsWith()));
    trial.before({ ...over, iteration: 5, tools: [] });
    trial.before({ ...over, iteration: 6, tools: [] });
    const stop = stopOf(trial.before({ ...over, iteration: 7, tools: [] }).verdict);
    assert.equal(stop.reason, 'context_limit');
    assert.deepEqual(stop.failure?.details, { estimated: 70_000, limit: 100_000 });
  });
});

describe('context guard', () => {
  it('D2: warns once at 80 %, and again after the context was smaller', () => {
    const trial = new Trial(contextGuard(settingsWith()));
    const told = [79_999, 80_000, 90_000, 50_000, 80_000].map(
      (contextTokens) => trial.before({ contextTokens }).events.length,
    );
    assert.deepEqual(told, [0, 1, 0, 0, 1]);
    assert.deepEqual(
      new Trial(contextGuard(settingsWith())).before({ contextTokens: 85_000 }).events,
      [{ type: 'context.warning', estimatedTokens: 85_000, contextLimit: 100_000 }],
    );
  });

  it('D2: over 95 % compacts with a target of 82 %', () => {
    const trial = new Trial(contextGuard(settingsWith()));
    assert.equal(trial.before({ contextTokens: 95_000 }).verdict.kind, 'continue');
    const verdict = compactOf(trial.before({ contextTokens: 95_001 }).verdict);
    assert.equal(verdict.targetTokens, 82_000);
    assert.equal(verdict.reason, 'context_guard');
  });

  it('D2: stops with the estimate and the limit when that did not help', () => {
    const trial = new Trial(contextGuard(settingsWith()));
    trial.before({ iteration: 4, contextTokens: 97_000 });
    const stop = stopOf(
      trial.before({
        iteration: 4,
        contextTokens: 96_000,
        lastCompaction: attempt({ iteration: 4 }),
      }).verdict,
    );
    assert.equal(stop.reason, 'context_limit');
    assert.equal(stop.failure?.code, 'context_limit');
    assert.deepEqual(stop.failure?.details, { estimated: 96_000, limit: 100_000 });
  });

  it('D2: a compaction of an earlier iteration does not count as tried', () => {
    const trial = new Trial(contextGuard(settingsWith()));
    const { verdict } = trial.before({
      iteration: 9,
      contextTokens: 97_000,
      lastCompaction: attempt({ iteration: 4 }),
    });
    assert.equal(verdict.kind, 'compact');
  });

  it('D2 E5: with strategy none it stops at once and names the setting', () => {
    const stop = stopOf(
      new Trial(contextGuard(settingsWith({ 'context.strategy': 'none' }))).before({
        contextTokens: 97_000,
      }).verdict,
    );
    assert.match(stop.failure?.message ?? '', /belay\.context\.strategy/);
  });
});

describe('context overflow', () => {
  const tooLong = turn({
    hadText: false,
    failure: { code: 'context_overflow', message: 'prompt is too long' },
  });

  for (const code of ['context_overflow', 'output_limit', 'request_too_large'] as const) {
    it(`h11 h12 h13: claims ${code} and compacts`, () => {
      const failed = turn({ hadText: false, failure: { code, message: 'x' } });
      const verdict = compactOf(
        new Trial(contextOverflow(settingsWith())).after({ contextTokens: 50_000, turn: failed })
          .verdict,
      );
      assert.deepEqual(verdict, {
        kind: 'compact',
        keep: 10,
        depth: 'normal',
        reason: 'context_overflow',
        targetTokens: 30_000,
      });
    });
  }

  it('shortens the conversation below a limit that the provider names', () => {
    const failure = {
      code: 'context_overflow',
      message: 'x',
      details: { promptTokens: 50_000, limit: 10_000 },
    } as const;
    const trial = new Trial(contextOverflow(settingsWith()));
    const { verdict } = trial.after({ contextTokens: 50_000, turn: turn({ failure }) });
    assert.equal(compactOf(verdict).targetTokens, 6000);
  });

  it('h12: leaves every other failure alone', () => {
    const failed = turn({ failure: { code: 'auth', message: 'x' } });
    assert.equal(
      new Trial(contextOverflow(settingsWith())).after({ turn: failed }).verdict.kind,
      'continue',
    );
  });

  it('h12: the second overflow in a row prunes deeply, the third stops', () => {
    const trial = new Trial(contextOverflow(settingsWith()));
    trial.after({ turn: tooLong });
    const second = compactOf(trial.after({ turn: tooLong }).verdict);
    assert.equal(second.depth, 'deep');
    assert.equal(second.keep, 4);
    const stop = stopOf(trial.after({ turn: tooLong }).verdict);
    assert.equal(stop.failure?.code, 'context_limit');
    assert.match(stop.failure?.message ?? '', /prompt is too long.*belay\.model\.contextLimit/);
    assert.equal(trial.before().verdict.kind, 'continue', 'resumed, it begins without a word');
  });

  it('h12: a turn that fits starts the count again', () => {
    const trial = new Trial(contextOverflow(settingsWith()));
    trial.after({ turn: tooLong });
    trial.after({ turn: turn() });
    assert.equal(compactOf(trial.after({ turn: tooLong }).verdict).depth, 'normal');
  });

  it('c13: keeps the text, compacts, and has the model continue', () => {
    const trial = new Trial(contextOverflow(settingsWith()));
    assert.equal(trial.before().verdict.kind, 'continue');
    assert.equal(trial.after({ turn: turn({ finish: 'context_window' }) }).verdict.kind, 'compact');
    assert.match(
      injectOf(trial.before().verdict).messages.join(),
      /Continue exactly where you stopped/,
    );
    assert.equal(trial.after({ turn: turn() }).verdict.kind, 'continue');
    assert.equal(trial.before().verdict.kind, 'continue');
  });

  it('c13: what ended in calls, or without a word, needs no word to continue', () => {
    for (const given of [
      turn({ finish: 'context_window', calls: [call('read_file', '{}')] }),
      turn({ finish: 'context_window', hadText: false }),
      tooLong,
    ]) {
      const trial = new Trial(contextOverflow(settingsWith()));
      assert.equal(trial.after({ turn: given }).verdict.kind, 'compact');
      assert.equal(trial.before().verdict.kind, 'continue');
    }
  });

  it('E5: with strategy none the failure is not claimed', () => {
    const trial = new Trial(contextOverflow(settingsWith({ 'context.strategy': 'none' })));
    assert.equal(trial.after({ turn: tooLong }).verdict.kind, 'continue');
  });
});

describe('compaction progress', () => {
  for (const { reason, after, stops } of [
    { reason: 'context_guard', after: 90_000, stops: false },
    { reason: 'context_guard', after: 90_001, stops: true },
    { reason: 'context_overflow', after: 100_000, stops: true },
    { reason: 'threshold', after: 100_000, stops: false },
    { reason: 'deep_prune', after: 100_000, stops: false },
    { reason: 'requested', after: 100_000, stops: false },
  ] as const) {
    it(`a compaction for ${reason} from 100,000 to ${after} tokens ${stops ? 'stops and asks' : 'is good enough'}`, () => {
      const lastCompaction = attempt({ reason, tokensBefore: 100_000, tokensAfter: after });
      const { verdict } = new Trial(compactionProgress()).before({ lastCompaction });
      assert.equal(verdict.kind, stops ? 'stop' : 'continue');
    });
  }

  it('says how much was freed', () => {
    const lastCompaction = attempt({ tokensBefore: 100_000, tokensAfter: 97_000 });
    const given = { contextTokens: 97_500, contextLimit: 100_000 };
    const { failure } = stopOf(
      new Trial(compactionProgress()).before({ ...given, lastCompaction }).verdict,
    );
    assert.deepEqual(failure?.details, { estimated: 97_500, limit: 100_000, freed: 3000 });
  });

  it('judges each compaction once', () => {
    const trial = new Trial(compactionProgress());
    assert.equal(
      trial.before({ lastCompaction: attempt({ tokensAfter: 97_000 }) }).verdict.kind,
      'stop',
    );
    assert.equal(
      trial.before({ lastCompaction: attempt({ tokensAfter: 97_000 }) }).verdict.kind,
      'continue',
    );
    assert.equal(
      trial.before({ lastCompaction: attempt({ number: 2, tokensAfter: 97_000 }) }).verdict.kind,
      'stop',
    );
  });
});

describe('the context policies together', () => {
  /** Plays the loop at one boundary: asks, compacts to what `shrink` says, asks again. */
  function boundary(
    board: PolicyBoard,
    iteration: number,
    tokens: number,
    shrink: (tokens: number) => number,
  ): { said: Verdict[]; tokens: number } {
    let contextTokens = tokens;
    let lastCompaction: CompactionAttempt | undefined;
    const said: Verdict[] = [];
    for (let asked = 0; asked < 8; asked += 1) {
      const { verdict } = board.ask(
        'before',
        view({
          iteration,
          contextTokens,
          ...(lastCompaction === undefined ? {} : { lastCompaction }),
        }),
      );
      said.push(verdict);
      if (verdict.kind !== 'compact') return { said, tokens: contextTokens };
      const tokensAfter = Math.min(contextTokens, shrink(contextTokens));
      lastCompaction = {
        number: iteration * 10 + asked,
        iteration,
        depth: verdict.depth,
        reason: verdict.reason,
        tokensBefore: contextTokens,
        tokensAfter,
      };
      contextTokens = tokensAfter;
    }
    return assert.fail('the boundary does not end');
  }

  const board = (): PolicyBoard => {
    const settings = settingsWith();
    const policies: readonly Policy[] = [
      contextOverflow(settings),
      autoCompaction(settings),
      contextGuard(settings),
      compactionProgress(),
    ];
    return new PolicyBoard(policies);
  };
  const kinds = (said: readonly Verdict[]): string[] =>
    said.map((verdict) => (verdict.kind === 'compact' ? verdict.reason : verdict.kind));

  it('C3 D2: a context that jumps over 95 % is compacted the ordinary way first', () => {
    assert.deepEqual(kinds(boundary(board(), 3, 97_000, () => 20_000).said), [
      'threshold',
      'continue',
    ]);
  });

  it('D2: compactions that free nothing end in ContextLimitExceeded, after one try each', () => {
    const { said } = boundary(board(), 3, 97_000, (tokens) => tokens);
    assert.deepEqual(kinds(said), ['threshold', 'deep_prune', 'context_guard', 'stop']);
    assert.equal(stopOf(said.at(-1) as Verdict).failure?.code, 'context_limit');
  });

  it('C4: compactions that free too little below 95 % end in a question', () => {
    const { said } = boundary(board(), 3, 80_000, (tokens) => tokens - 100);
    assert.deepEqual(kinds(said), ['threshold', 'deep_prune', 'inject']);
    assert.equal(injectOf(said.at(-1) as Verdict).forceTool, 'ask_human');
  });

  it('C4 D2: a run that grows without end compacts a bounded number of times and then stops', () => {
    const policies = board();
    let tokens = 60_000;
    let compactions = 0;
    for (let iteration = 1; iteration <= 1000; iteration += 1) {
      tokens += 4000;
      const result = boundary(policies, iteration, tokens, (now) => now * 0.95);
      tokens = result.tokens;
      compactions += result.said.filter((verdict) => verdict.kind === 'compact').length;
      if (result.said.at(-1)?.kind === 'stop') {
        assert.ok(compactions <= 5, `${compactions} compactions`);
        return;
      }
    }
    assert.fail('the run was never stopped');
  });
});

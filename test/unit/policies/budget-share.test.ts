import assert from 'node:assert/strict';
import { budgetShare, shareOf } from '../../../src/core/policies/budget-share.ts';
import type { BudgetShare } from '../../../src/core/policies/budget-share.ts';
import type { Cap } from '../../../src/domain/budget.ts';
import { turn, view } from './views.ts';

describe('the share of a budget that one child may use', () => {
  it('is that part of the least cap of a run and a session, for each unit that has one', () => {
    const cap = (unit: Cap['unit'], period: Cap['period'], limit: number): Cap => ({
      unit,
      period,
      limit,
    });
    const cases: readonly (readonly [Cap[], BudgetShare])[] = [
      [[], {}],
      [[cap('cost', 'run', 4)], { cost: 1 }],
      [[cap('tokens', 'session', 100)], { tokens: 25 }],
      [[cap('cost', 'day', 1), cap('tokens', 'month', 1)], {}],
      [
        [cap('cost', 'run', 8), cap('cost', 'session', 4), cap('tokens', 'run', 40)],
        { cost: 1, tokens: 10 },
      ],
    ];
    for (const [caps, share] of cases) assert.deepEqual(shareOf(caps, 25), share);
  });

  const decided = (share: BudgetShare, cost: number, tokens: number) =>
    budgetShare(share, () => ({ cost, tokens }));

  it('ends with one turn without tools, in which the child reports', () => {
    const full = decided({ cost: 1 }, 1, 0);
    const asked = full.before?.(view({ iteration: 2 }), full.init());
    assert.ok(asked?.verdict.kind === 'inject');
    assert.match(asked.verdict.messages.join(), /^Your share of the budget is used up/u);
    assert.equal(asked.verdict.forceTool, 'none');
    const after = full.after?.(view({ iteration: 2, turn: turn() }), asked.state);
    assert.ok(after?.verdict.kind === 'stop');
    assert.equal(after.verdict.reason, 'budget');
    assert.equal(after.verdict.failure?.code, 'budget');
  });

  it('lets a child go on while it has something left, and have its first turn in any case', () => {
    const goesOn = (share: BudgetShare, cost: number, tokens: number, iteration = 2): boolean => {
      const policy = decided(share, cost, tokens);
      return policy.before?.(view({ iteration }), policy.init()).verdict.kind === 'continue';
    };
    assert.ok(goesOn({ cost: 1 }, 0.9, 1000));
    assert.ok(!goesOn({ cost: 1 }, 1.1, 0));
    assert.ok(goesOn({ tokens: 10 }, 1000, 9));
    assert.ok(!goesOn({ tokens: 10 }, 0, 10));
    assert.ok(!goesOn({ cost: 1, tokens: 10 }, 0, 11));
    assert.ok(goesOn({}, 1e9, 1e9));
    assert.ok(goesOn({ cost: 1 }, 5, 0, 1));
  });

  it('a closing turn that fails is another’s matter, and no other turn is one', () => {
    const full = decided({ cost: 1 }, 1, 0);
    const failure = { code: 'network', message: 'x' } as const;
    for (const [iteration, asked, failed] of [
      [2, 2, true],
      [3, 2, false],
      [2, null, false],
    ] as const) {
      const made = view({ iteration, turn: turn(failed ? { failure } : {}) });
      assert.equal(full.after?.(made, { asked }).verdict.kind, 'continue');
    }
  });
});

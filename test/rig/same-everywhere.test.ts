import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createRandom, SEED } from '../support/seed.ts';

describe('what tests draw at random', () => {
  it('is the same in each run: a property without a seed has the fixed one', () => {
    assert.equal(fc.check(fc.property(fc.nat(), () => true)).seed, SEED);
    const drawn = fc.sample(fc.nat(), 5);
    assert.deepEqual(drawn, fc.sample(fc.nat(), { numRuns: 5, seed: SEED }));
    assert.notDeepEqual(drawn, fc.sample(fc.nat(), { numRuns: 5, seed: SEED + 1 }));
  });

  it('comes from generators that one seed always makes alike', () => {
    const take = (random: () => number): readonly number[] => Array.from({ length: 9 }, random);
    assert.deepEqual(take(createRandom()), take(createRandom()));
    assert.notDeepEqual(take(createRandom()), take(createRandom(SEED + 1)));
    for (const one of take(createRandom())) assert.ok(one >= 0 && one < 1);
  });
});

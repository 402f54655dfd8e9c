import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { begin, end, FILES, STEP, take } from './histories.ts';
import { REPLAY, runs } from '../../support/seed.ts';

/** What a test of so many histories has to have seen. */
const OFTEN =
  `write, propose, accepted, typed, outside, unseen, reload, crash, undo, create, remove,
  move, delete write, delete propose, rename write, rename propose, edit proposal, restore a text,
  accept written all, accept written some, accept proposed all, accept proposed some,
  reject written all, reject written some, reject proposed all, reject proposed some,
  accept several: done, reject several: done`.split(/,\s+/u);

const RUNS = runs(300);

describe('everything that may happen to files with pending changes', function () {
  this.timeout(RUNS * 500 + 60_000);

  it('loses no line of the person, and does to each of the agent exactly what was decided', async () => {
    const done = await histories();
    if (REPLAY.path !== undefined) return;
    for (const what of OFTEN) assert.ok(done.has(what), `${what} does not happen`);
  });
});

/** @returns what was done, how often */
async function histories(): Promise<ReadonlyMap<string, number>> {
  const done = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      FILES,
      fc.constantFrom(1, 1, 2),
      fc.array(STEP, { maxLength: 25 }),
      fc.constantFrom('accept' as const, 'reject' as const),
      async (files, windows, steps, last) => {
        const hands = await begin(files, windows, done);
        for (const step of steps) await hands.take(async () => take(hands, step));
        await end(hands, last);
        for (const { reviews } of hands.at.windows) assert.deepEqual(reviews.pending, []);
        await hands.at.close(true);
        assert.equal(hands.at.clock.pending, 0);
      },
    ),
    { numRuns: RUNS, ...REPLAY },
  );
  return done;
}

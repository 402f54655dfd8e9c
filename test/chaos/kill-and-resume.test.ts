import assert from 'node:assert/strict';
import { killAndResume } from './kill-and-resume.ts';
import type { ChaosPlan } from './kill-and-resume.ts';
import { createRandom } from '../support/seed.ts';

const SHORT: Omit<ChaosPlan, 'manner' | 'random'> = {
  steps: 14,
  pace: 15,
  answer: { delayMs: 10, gapMs: 1 },
  kills: 9,
  from: 0,
  to: 25,
  after: { events: 35 },
};

describe('a headless run that is killed again and again', () => {
  for (const manner of ['checks', 'trusts'] as const) {
    it(`C8 C9: goes on each time, repeats no side effect, misses no step, keeps every message; the model ${manner}`, async function () {
      this.timeout(180_000);
      const report = await killAndResume({ ...SHORT, manner, random: createRandom() });
      const { landed, repeated, missing, lostMessages, changedHistories, stuck } = report;
      assert.deepEqual(
        { repeated, missing, lostMessages, changedHistories, stuck },
        { repeated: 0, missing: 0, lostMessages: 0, changedHistories: 0, stuck: 0 },
        JSON.stringify(report),
      );
      assert.ok(landed.model + landed.command >= 6, `the kills missed: ${JSON.stringify(report)}`);
    });
  }
});

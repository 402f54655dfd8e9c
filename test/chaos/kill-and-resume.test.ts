import assert from 'node:assert/strict';
import { killAndResume } from './kill-and-resume.ts';

describe('a headless run that is killed again and again', () => {
  it('C8 C9: goes on each time, repeats no side effect, misses no step, keeps every message', async function () {
    this.timeout(120_000);
    const report = await killAndResume({
      steps: 40,
      kills: 12,
      from: 150,
      to: 900,
      random: Math.random,
    });
    assert.ok(report.kills > 0, 'nothing was killed, so nothing was shown');
    const { repeated, missing, lostMessages, changedHistories, stuck } = report;
    assert.deepEqual(
      { repeated, missing, lostMessages, changedHistories, stuck },
      { repeated: 0, missing: 0, lostMessages: 0, changedHistories: 0, stuck: 0 },
      JSON.stringify(report),
    );
  });
});

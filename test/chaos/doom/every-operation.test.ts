import assert from 'node:assert/strict';
import { operations, summed, surviveEach } from './every-operation.ts';
import type { Doom } from './every-operation.ts';
import { createRandom } from '../../support/seed.ts';

describe('a headless run that dies at one of its durable operations', () => {
  it('C8 C9: before or after it, whichever: nothing is repeated, nothing is missing, the session goes on', async function () {
    this.timeout(180_000);
    const { length } = await operations();
    assert.ok(length > 30, `only ${length} operations`);
    // Some of them: the benchmark `chaos` goes through all, before and after.
    const stride = 8;
    const first = 1 + Math.floor(createRandom()() * stride);
    const dooms: Doom[] = [];
    for (let at = first; at <= length; at += stride)
      dooms.push({ at, moment: dooms.length % 2 === 0 ? 'before' : 'after' });
    const reports = [];
    for (const doom of dooms) reports.push(await surviveEach([doom]));
    const { messages, ...figures } = summed(reports);
    assert.deepEqual(
      { ...figures, kills: 0 },
      { kills: 0, repeated: 0, missing: 0, changedHistories: 0, lostMessages: 0, stuck: 0 },
      messages.join('\n'),
    );
    // The very last ones depend on timing and may not come.
    assert.ok(figures.kills >= dooms.length - 1, `${figures.kills} kills of ${dooms.length}`);
  });
});

import assert from 'node:assert/strict';
import { applyLineChanges, lineChangesByTurns } from '../../../src/core/merge/line-changes.ts';
import { agentEdited } from '../../support/review/attribution.ts';
import { movedMarks, newReview } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { longestBlock } from '../../bench/tools/longest-block.ts';
import { by, ENTRIES } from './entries.ts';
import { HOSTILE_TEXTS, nested, unitOfWork } from './hostile-texts.ts';

/**
 * Milliseconds of the thread's processor time, in which nothing of other programs counts. What is to be
 * found are mends that were undone: each of these stood for 160 to 6,000 ms. The figures of a quiet machine
 * are in the bench `limits`.
 */
const unit = unitOfWork();
const MOST = Math.max(60, 6 * unit);

describe('nothing blocks the host: 1 MB of', function () {
  this.timeout(120_000);

  for (const [what, text, other] of HOSTILE_TEXTS)
    for (const [entry, run] of Object.entries(ENTRIES))
      it(`${what}: ${entry}`, async () => {
        // The best of three: the garbage of the tests before is none of its work.
        let least = Infinity;
        for (let time = 0; time < 3 && least > MOST; time += 1)
          least = Math.min(least, await longestBlock(() => run(text, other)));
        assert.ok(least <= MOST, `${Math.round(least)} ms of at most ${Math.round(MOST)}`);
      });

  it('lines that are made to be compared in as many rounds as they are is bounded', async () => {
    const [left, right] = nested(20_000);
    const began = process.threadCpuUsage();
    await lineChangesByTurns(left, right);
    const { user, system } = process.threadCpuUsage(began);
    assert.ok((user + system) / 1000 < 100 * unit, `${(user + system) / 1000} ms`);
  });
});

describe('many changes at once', () => {
  it('move marks as they would one after the other', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
      return seed % below;
    };
    for (let round = 0; round < 2000; round += 1) {
      const changes: { from: number; to: number; lines: string[] }[] = [];
      for (let at = random(4); at < 40; at += 1 + random(6)) {
        const to = at + random(4);
        changes.push({ from: at, to, lines: Array.from({ length: random(4) }, () => 'x') });
        at = to;
      }
      const marks = Array.from({ length: 5 }, () => {
        const from = random(45);
        return { from, to: from + random(20), by: 'user' as const };
      });
      const oneByOne = changes.reduceRight<ReturnType<typeof movedMarks>>(
        (moved, change) => movedMarks(moved, [change]),
        marks,
      );
      assert.deepEqual(movedMarks(marks, changes), oneByOne);
    }
  });

  it('of one file are at most a thousand to decide about, and rejecting all of them brings it back', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    const after = lines.map((line, index) => (index % 2 === 0 ? `${line}!` : line));
    const review = agentEdited(
      newReview('/a', { kind: 'text', lines }),
      { kind: 'text', lines: after },
      by,
    );
    const hunks = hunksOf(review);
    assert.equal(hunks.length, 1000);
    const back = hunks.map(({ documentFrom: from, documentTo: to, removed }) => ({
      from,
      to,
      lines: removed,
    }));
    assert.deepEqual(applyLineChanges(after, back), lines);
  });
});

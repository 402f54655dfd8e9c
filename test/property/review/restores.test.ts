import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linesOf } from '../../../src/core/review/model/file-review.ts';
import { turnedBack } from '../../../src/core/restore/turned-back.ts';
import type { Leaf } from '../../../src/core/restore/turned-back.ts';
import { Desk } from './desk.ts';
import { REPLAY, runs } from '../../support/seed.ts';

const RUNS = runs(200);

const step = fc.record({
  does: fc.constantFrom('write', 'write', 'typed', 'outside', 'accept', 'reject', 'reload'),
  at: fc.nat({ max: 40 }),
  count: fc.nat({ max: 3 }),
  lines: fc.nat({ max: 3 }),
  which: fc.option(fc.nat({ max: 9 }), { freq: 4 }),
});

const leaf = (text: string): Leaf => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644 });
const textIn = (found: Leaf): string =>
  found.kind === 'file' ? Buffer.from(found.bytes).toString() : assert.fail('no file');

describe('files that are restored while changes are pending', function () {
  this.timeout(RUNS * 500 + 60_000);

  it('lose no line of the person, keep none of the agent, and the restore is undone to the letter', async () => {
    let restored = 0;
    const restores = fc.asyncProperty(
      fc.nat({ max: 6 }),
      fc.array(step, { maxLength: 20, size: 'max' }),
      fc.constantFrom('accept' as const, 'reject' as const),
      async (length, steps, last) => {
        const desk = new Desk([[...Array.from({ length }, (_, line) => `line ${line}`), 'end']]);
        const path = desk.path(0);
        const text = (): string => desk.files.text(path) ?? assert.fail('the file is gone');
        const history: { before: Leaf; after: Leaf }[] = [];
        for (const { does, at, count, lines: more, which } of steps) {
          const { doc } = desk.of(path).written;
          const from = at % doc.length;
          const to = Math.max(from, Math.min(from + count, doc.length - 1));
          const own = does === 'write' ? 'agent' : 'own';
          const edit = { from: Math.min(from, to), to, lines: desk.fresh(more, own) };
          const isNothing = edit.from === edit.to && more === 0;
          const before = leaf(text());
          if (does === 'reload') await desk.reloads();
          else if (does === 'accept' || does === 'reject')
            await desk.decides(does, 'written', path, which ?? 'all');
          else if (isNothing) continue;
          else if (does === 'write') await desk.agentWrites(path, edit, 's');
          else await desk.changes(path, edit, does === 'typed' ? 'typed' : 'outside');
          if (does === 'write') history.push({ before, after: leaf(text()) });
          desk.check();
        }
        const was = text();
        const back = turnedBack(leaf(was), history);
        if (back.kind !== 'changed') return;
        restored += 1;
        const is = textIn(back.to);
        const lines = is.split('\n');
        const kept = was.split('\n').filter((line) => line.startsWith('own '));
        assert.deepEqual(
          lines.filter((line) => kept.includes(line)),
          kept,
        );
        assert.deepEqual(
          lines.filter((line) => line.startsWith('agent ')),
          [],
        );
        desk.files.put(path, is);
        await desk.reviews.files.fileChanged(path);
        const review = desk.reviews.find('written', path);
        if (review !== undefined) {
          assert.equal(linesOf(review.document).join('\n'), is);
          await desk.reviews.decisions[last]({ kind: 'written', path });
        }
        const decided = text().split('\n');
        assert.deepEqual(
          decided.filter((line) => kept.includes(line)),
          kept,
        );
        if (last === 'accept') assert.equal(text(), is);
        // The restore is a change like another, and the way back from it is the redo.
        const redo = turnedBack(leaf(is), [{ before: leaf(was), after: leaf(is) }]);
        assert.equal(redo.kind === 'changed' ? textIn(redo.to) : '', was);
        await desk.reviews.flush();
        desk.reviews.dispose();
      },
    );
    await fc.assert(restores, { numRuns: RUNS, ...REPLAY });
    assert.ok(
      REPLAY.path !== undefined || restored > RUNS / 5,
      `only ${restored} histories came to a restore`,
    );
  });
});

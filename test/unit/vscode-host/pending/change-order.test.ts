import assert from 'node:assert/strict';
import {
  hunksOf,
  type PendingChange,
  listChanges,
} from '../../../../src/core/review/model/hunks.ts';
import { changesAt, lineOf, stepFrom } from '../../../../src/window/pending/change-order.ts';
import type { Spot } from '../../../../src/window/pending/change-order.ts';
import { edited, renamed } from './reviews-of.ts';

const ten = Array.from({ length: 10 }, (_, line) => `line ${line}`);
const text = (change: (lines: string[]) => void): string => {
  const lines = [...ten];
  change(lines);
  return lines.join('\n');
};

/** Line 2 changed, 5 and 6 taken away, two added at the end. */
const several = edited(
  '/w/b.ts',
  ten.join('\n'),
  text((lines) => {
    lines[2] = 'changed';
    lines.splice(5, 2);
    lines.push('new', 'newer');
  }),
);
/** The last two lines taken away: no line is after them. */
const shortened = edited(
  '/w/c.ts',
  ten.join('\n'),
  text((lines) => lines.splice(8, 2)),
);
const created = edited('/w/a.ts', undefined, 'one\ntwo\n');
const all = [created, several, shortened, renamed('/w/old.ts', '/w/d.ts', 'same')];
const changes = listChanges(all);

const where = ({ review, hunk }: PendingChange): string =>
  `${review.path}:${lineOf({ review, hunk }, 'document')}`;
const spot = (path: string, line: number, more: Partial<Spot> = {}): Spot => ({
  path,
  side: 'document',
  line,
  ...more,
});
const step = (from: Spot | undefined, direction: 'next' | 'previous'): string => {
  const found = stepFrom(changes, from, direction);
  assert.ok(found);
  return `${found.number}/${found.total} ${where(found.change)}`;
};

describe('the order of pending changes', () => {
  it('goes through all of them, of all files, and from the last to the first', () => {
    const walk = (direction: 'next' | 'previous'): readonly string[] => {
      const seen: string[] = [];
      let at: Spot | undefined;
      for (const _ of [...changes, undefined]) {
        const found = stepFrom(changes, at, direction);
        assert.ok(found);
        const { review } = found.change;
        at = { path: review.path, side: 'document', line: lineOf(found.change, 'document') };
        seen.push(`${found.number}/${found.total} ${where(found.change)}`);
      }
      return seen;
    };
    const forward = [
      '1/6 /w/a.ts:0',
      '2/6 /w/b.ts:2',
      '3/6 /w/b.ts:5',
      '4/6 /w/b.ts:8',
      '5/6 /w/c.ts:7',
      '6/6 /w/d.ts:0',
    ];
    assert.deepEqual(walk('next'), [...forward, forward[0]]);
    assert.deepEqual(walk('previous'), [...forward.toReversed(), forward.at(-1)]);
  });

  it('begins where the person is, in a file without changes too', () => {
    assert.equal(step(spot('/w/b.ts', 3), 'next'), '3/6 /w/b.ts:5');
    assert.equal(step(spot('/w/b.ts', 4), 'previous'), '2/6 /w/b.ts:2');
    assert.equal(step(spot('/w/bb.ts', 100), 'next'), '5/6 /w/c.ts:7');
    assert.equal(step(spot('/w/bb.ts', 100), 'previous'), '4/6 /w/b.ts:8');
    assert.equal(step(spot('/z', 0), 'next'), '1/6 /w/a.ts:0');
    assert.equal(step(spot('/a', 0), 'previous'), '6/6 /w/d.ts:0');
    assert.equal(stepFrom([], undefined, 'next'), undefined);
  });

  it('from the middle of a change the one before is not the beginning of the same', () => {
    assert.equal(step(spot('/w/b.ts', 9), 'previous'), '3/6 /w/b.ts:5');
    assert.equal(step(spot('/w/a.ts', 1), 'previous'), '6/6 /w/d.ts:0');
  });

  it('counts by the lines of the left side of a diff when the person is there', () => {
    assert.equal(step(spot('/w/b.ts', 4, { side: 'baseline' }), 'next'), '3/6 /w/b.ts:5');
    assert.equal(step(spot('/w/b.ts', 7, { side: 'baseline' }), 'next'), '4/6 /w/b.ts:8');
  });
});

describe('the changes that lines mean', () => {
  const kinds = (from: number, to = from, side: Spot['side'] = 'document'): readonly number[] =>
    changesAt(several, side, from, to).map((hunk) => hunksOf(several).indexOf(hunk));

  it('a cursor means the change that it is in, and none beside it', () => {
    assert.deepEqual(
      [1, 2, 3].map((line) => kinds(line)),
      [[], [0], []],
    );
    assert.deepEqual(kinds(8), [2]);
    assert.deepEqual(kinds(9), [2]);
  });

  it('lines that were taken away are meant from the line before and the one after', () => {
    assert.deepEqual(
      [3, 4, 5, 6].map((line) => kinds(line)),
      [[], [1], [1], []],
    );
    assert.equal(changesAt(shortened, 'document', 7, 7).length, 1);
    // On the left side of a diff they are there.
    assert.deepEqual(
      [4, 5, 6, 7].map((line) => kinds(line, line, 'baseline')),
      [[], [1], [1], []],
    );
  });

  it('a selection means every change that it touches', () => {
    assert.deepEqual(kinds(0, 20), [0, 1, 2]);
    assert.deepEqual(kinds(3, 5), [1]);
    assert.deepEqual(kinds(6, 7), []);
  });

  it('what is all of a file is meant anywhere in it', () => {
    assert.equal(changesAt(created, 'document', 1, 1).length, 1);
    const deleted = edited('/w/e.ts', 'a\nb', undefined);
    assert.equal(changesAt(deleted, 'baseline', 1, 1).length, 1);
    assert.equal(changesAt(deleted, 'document', 0, 0).length, 1);
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { BoundedOutput } from '../../../src/core/background/bounded-output.ts';

describe('bounded output', () => {
  it('keeps everything that fits', () => {
    const output = new BoundedOutput(5, 5);
    for (const piece of ['abc', '', 'defg', 'hij']) output.add(piece);
    assert.equal(output.toString(), 'abcdefghij');
  });

  it('keeps the beginning and the end of what does not, and says how much is missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (pieces, head, tail) => {
          const output = new BoundedOutput(head, tail);
          for (const piece of pieces) output.add(piece);
          const whole = pieces.join('');
          assert.equal(output.total, whole.length);
          const omitted = whole.length - head - tail;
          const expected =
            omitted <= 0
              ? whole
              : `${whole.slice(0, head)}\n[… ${omitted} characters left out …]\n${whole.slice(-tail)}`;
          assert.equal(output.toString(), expected);
        },
      ),
    );
  });
});

import assert from 'node:assert/strict';
import { ABSENT, newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import type { Content } from '../../../src/core/review/model/file-review.ts';
import { linesIn } from '../../../src/core/review/model/hunks.ts';

const counts = (before: Content, after: Content): string => {
  const review = { ...newReview('/a', before), document: after };
  const { added, removed } = linesIn(review);
  return `+${added} -${removed}`;
};
const text = textContent;

describe('the lines that pending changes count', () => {
  it('are those that people see: what ends the last line is no line', () => {
    assert.equal(counts(ABSENT, text('one\ntwo\n')), '+2 -0');
    assert.equal(counts(ABSENT, text('one\ntwo')), '+2 -0');
    assert.equal(counts(text('one\r\ntwo\r\n'), ABSENT), '+0 -2');
    assert.equal(counts(text('one\n'), text('one\ntwo\nthree\n')), '+2 -0');
    assert.equal(counts(text('one'), text('one\ntwo\n')), '+1 -0');
    assert.equal(counts(text('one\ntwo\n'), text('')), '+0 -2');
    assert.equal(counts(text('one\n\n'), text('one\n')), '+0 -1');
    assert.equal(counts(text('one\ntwo\nthree\n'), text('one\n2\nthree\n')), '+1 -1');
  });

  it('are never none for a change', () => {
    assert.equal(counts(text('one'), text('one\n')), '+1 -0');
    assert.equal(counts(text('one\n'), text('one')), '+0 -1');
  });
});

import assert from 'node:assert/strict';
import { ABSENT, newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import type { Content } from '../../../src/core/review/model/file-review.ts';
import { proposalLines } from '../../../src/window/pending/proposal-lines.ts';

const lines = (before: string, after: string | Content): ReturnType<typeof proposalLines> =>
  proposalLines({
    ...newReview('/a', textContent(before)),
    document: typeof after === 'string' ? textContent(after) : after,
  });

describe('a proposal in the file that it is for', () => {
  it('has beside each line that would go the one that comes in its place', () => {
    assert.deepEqual(lines('a\nb\nc\n', 'a\n  B\nmore\nand more\nc\n'), {
      going: [{ from: 1, to: 2 }],
      coming: [{ line: 1, text: '→ B  +2 more lines' }],
    });
    assert.deepEqual(lines('a\nb\nc\nd\n', 'A\nB\nd\n'), {
      going: [{ from: 0, to: 3 }],
      coming: [
        { line: 0, text: '→ A' },
        { line: 1, text: '→ B' },
      ],
    });
  });

  it('has what only comes beside the line before it, and only tints what only goes', () => {
    assert.deepEqual(lines('a\nb\n', 'a\nx\nb\n').coming, [{ line: 0, text: '↓ x' }]);
    assert.deepEqual(lines('a\nb\n', 'x\ny\na\nb\n').coming, [
      { line: 0, text: '↑ x  +1 more line' },
    ]);
    assert.deepEqual(lines('a\nb\n', 'a\nb\nc\n').coming, [{ line: 1, text: '↓ c' }]);
    assert.deepEqual(lines('a\nb\nc\n', 'a\nc\n'), { going: [{ from: 1, to: 2 }], coming: [] });
    assert.deepEqual(lines('a\nb\n', 'a\n\n\nb\n').coming, [
      { line: 0, text: '↓ (blank)  +1 more line' },
    ]);
  });

  it('tints all of a file that would be deleted', () => {
    assert.deepEqual(lines('a\nb\n', ABSENT), { going: [{ from: 0, to: 3 }], coming: [] });
  });

  it('shows characters that hide something, and cuts what is long', () => {
    const [bidi, long] = [
      lines('a\n', 'if\u202Eadmin\n').coming[0]?.text ?? '',
      lines('a\n', `${'x'.repeat(5000)}\n`).coming[0]?.text ?? '',
    ];
    assert.doesNotMatch(bidi, /\u202E/u);
    assert.equal(long.length, 162);
  });
});

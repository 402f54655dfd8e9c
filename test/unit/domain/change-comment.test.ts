import assert from 'node:assert/strict';
import {
  changeCommentText,
  hunkDiff,
  readChangeComment,
} from '../../../src/domain/review/change-comment.ts';

const comment = {
  path: 'src/a b, lines 2.ts',
  from: 12,
  to: 14,
  diff: '@@ -12,1 +12,3 @@\n-old\n+new\n+```diff\n+newer',
  comment: 'Why not **simpler**?\n\n```diff\n+like this\n```\n\nThink again.',
};

describe('a comment on a change, as a message', () => {
  it('can be read back, whatever is in it', () => {
    assert.deepEqual(readChangeComment(changeCommentText(comment)), comment);
    const one = { ...comment, from: 3, to: 3, comment: 'no', diff: '@@ -3,1 +2,0 @@\n-````' };
    assert.deepEqual(readChangeComment(changeCommentText(one)), one);
  });

  it('begins with the place and the words of the person', () => {
    const lines = changeCommentText(comment).split('\n');
    assert.equal(
      lines[0],
      'Comment on your pending change of src/a b, lines 2.ts, lines 12 to 14:',
    );
    assert.equal(lines[2], 'Why not **simpler**?');
    assert.equal(lines.at(-1), '````');
  });

  it('other messages are none', () => {
    for (const text of [
      '',
      'Comment on your pending change of a, line 1:\n\nhello',
      '```diff\n```',
    ])
      assert.equal(readChangeComment(text), undefined, text);
  });

  it('shows the change with its places, and at most 120 lines of it', () => {
    const hunk = { baselineFrom: 4, documentFrom: 6, removed: ['a'], added: [] as string[] };
    assert.equal(hunkDiff(hunk), '@@ -5,1 +6,0 @@\n-a');
    const long = hunkDiff({ ...hunk, added: Array.from({ length: 200 }, (_, at) => `${at}`) });
    assert.equal(long.split('\n').length, 122);
    assert.match(long, /and 81 more lines, in the file$/u);
  });
});

import assert from 'node:assert/strict';
import type { Attribution } from '../../../../src/core/review/model/file-review.ts';
import { hunksOf, listChanges } from '../../../../src/core/review/model/hunks.ts';
import { withOtherHands } from '../../../../src/core/review/model/other-hands.ts';
import { textContent } from '../../../../src/core/review/model/file-review.ts';
import { originText, stepText } from '../../../../src/window/pending/change-words.ts';
import { byAgent, edited, renamed } from './reviews-of.ts';

const titleOf = ({ sessionId, messageId }: Attribution): string | undefined =>
  sessionId === 's1' && messageId === 'm1' ? 'add tests' : undefined;

describe('words about a pending change', () => {
  const review = edited('/w/a.ts', 'a\nb\nc', 'a\nB\nB2\nc');

  it('name the tool and what it was for', () => {
    const [hunk] = hunksOf(review);
    assert.ok(hunk);
    assert.equal(originText(hunk, titleOf), 'edit_file for “add tests”');
    assert.equal(
      originText(hunk, () => undefined),
      'edit_file',
    );
    assert.equal(originText({ ...hunk, by: [] }, titleOf), 'Belay');
    const reason = { ...byAgent, why: 'less code' };
    assert.equal(originText({ ...hunk, by: [reason] }, titleOf), 'edit_file for “less code”');
    const command = { ...byAgent, tool: `npm test\n--  ${'x'.repeat(100)}` };
    assert.match(originText({ ...hunk, by: [command] }, titleOf), /^npm test -- x{47}… for/u);
  });

  it('say that the user changed it since', () => {
    const [mine] = hunksOf(withOtherHands(review, textContent('a\nB!\nB2\nc'), 'editor'));
    assert.ok(mine);
    assert.match(originText(mine, titleOf), / · edited by you$/u);
  });

  it('tell a step as a number of all, with the file', () => {
    const [change] = listChanges([review]);
    const [moved] = listChanges([renamed('/w/o.ts', '/w/n.ts', 'x')]);
    assert.ok(change && moved);
    assert.equal(
      stepText({ change, number: 3, total: 12 }, 'src/a.ts'),
      'Change 3 of 12, src/a.ts',
    );
    assert.equal(
      stepText({ change: moved, number: 1, total: 1 }, 'n.ts'),
      'Change 1 of 1, n.ts, renamed',
    );
  });
});

import assert from 'node:assert/strict';
import { applyLineChanges, lineChangesByTurns } from '../../../src/core/merge/line-changes.ts';
import { agentEdited } from '../../support/review/attribution.ts';
import { compareFirst } from '../../../src/core/review/model/differences.ts';
import { newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { SecretBook } from '../../../src/core/secrets/secret-book.ts';
import { editDiff } from '../../../src/tools/editing/edit-diff.ts';
import { applyEdits } from '../../../src/tools/editing/apply-edits.ts';

/** Whose change it is. */
export const by = {
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId: 'c',
  tool: 'write_file',
  why: '',
  at: 1,
} as const;

/** What takes text of a model, a repository or a server: none of it may keep the event loop for long. */
export const ENTRIES: Readonly<Record<string, (text: string, other: string) => Promise<unknown>>> =
  {
    'the comparison of two texts': async (text, other) => {
      const [left, right] = [text.split('\n'), other.split('\n')];
      const changes = await lineChangesByTurns(left, right);
      assert.equal(applyLineChanges(left, changes).length, right.length);
    },
    'the diff of an edit': (text, other) => editDiff(text, other),
    'an edit of all blanks': (text) =>
      applyEdits(text, [{ old_string: ' ', new_string: '_', replace_all: true }], 'a.txt').catch(
        () => undefined,
      ),
    'an edit of a place that is not there': (text, other) =>
      applyEdits(
        text,
        [{ old_string: `${other.slice(0, 500_000)}q`, new_string: 'x' }],
        'a.txt',
      ).catch(() => undefined),
    'the review of a change': async (text, other) => {
      const [before, after] = [textContent(text), textContent(other)];
      await compareFirst(undefined, after, before);
      const review = agentEdited(newReview('/a', before), after, by);
      hunksOf(review);
    },
    'a secret mask': (text) => new SecretBook().maskByTurns(text),
    'looking for secrets': (text) => new SecretBook().learnByTurns(text, '.env'),
  };

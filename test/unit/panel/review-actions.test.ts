import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import type {
  DecidedView,
  ReviewFileView,
  ReviewHunkView,
} from '../../../src/protocol/review-view.ts';
import { ReviewActions } from '../../../webview/review/review-actions.ts';
import { hintOf, wordsOf } from '../../../webview/review/review-words.ts';

const HUNK: ReviewHunkView = {
  id: 'x',
  kind: 'change',
  line: 1,
  lines: 0,
  added: 0,
  removed: 0,
  preview: [],
  edited: false,
  looked: false,
  evidence: null,
};

const FILE: ReviewFileView = {
  path: '/w/a.ts',
  name: 'a.ts',
  sessionId: 's',
  messageId: 'm',
  state: 'changed',
  form: null,
  renamedFrom: null,
  command: null,
  added: 0,
  removed: 0,
  count: 1,
  hunks: [HUNK],
};

/** Actions whose decisions are answered with this. */
function actionsWith(answer: Partial<DecidedView>) {
  const asked: string[] = [];
  const announcement = signal('');
  const host = {
    do: () => undefined,
    attempt: async (name: string) => {
      asked.push(name);
      return {
        value: {
          id: 'd1',
          done: 1,
          failed: [],
          newer: 0,
          left: 0,
          ...answer,
        },
      };
    },
  };
  const actions = new ReviewActions(host as never, announcement, () => EMPTY_REVIEW, signal(null));
  return { actions, asked, announcement };
}

describe('deciding in the panel', () => {
  it('says what was done and left, and takes it back', async () => {
    const { actions, announcement, asked } = actionsWith({ done: 6, left: 1 });
    await actions.decideAll('undo');
    const said = '6 changes undone, 1 left because you edited it.';
    assert.equal(actions.note.shown.value?.text, said);
    assert.equal(announcement.value, `${said} Nothing is left.`);
    await actions.note.takeBack();
    assert.deepEqual(asked, ['decideChanges', 'takeBackDecision']);
    assert.equal(actions.note.shown.value, undefined);
  });
});

describe('a file that changed while a command ran in the background', () => {
  it('says that nobody knows who did it, and what is left out', () => {
    const file: ReviewFileView = { ...FILE, command: 'npm run watch', during: true };
    const word = wordsOf(file).at(-1) ?? '';
    assert.equal(word, 'while npm run watch ran');
    assert.match(
      hintOf(file, word),
      /^Changed while npm run watch ran\. It, or another program, did that: nobody can know\. Files that you typed in or saved meanwhile are not listed, they count as yours\.$/u,
    );
    assert.equal(hintOf({ ...FILE, command: 'make' }, 'by make'), 'by make');
  });
});

import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import type {
  DecidedView,
  ReviewFileView,
  ReviewHunkView,
} from '../../../src/protocol/review-view.ts';
import { ReviewActions } from '../../../webview/review/review-actions.ts';
import { ReviewButtons } from '../../../webview/review/review-buttons.tsx';
import { hintOf, isOnlyUnsaved, labelOf, wordsOf } from '../../../webview/review/review-words.ts';
import { rowsOf } from '../../../webview/review/rows.ts';
import type { ActiveRow } from '../../../webview/review/rows.ts';

const HUNK: ReviewHunkView = {
  id: 'unsaved',
  kind: 'unsaved',
  line: 1,
  lines: 0,
  added: 0,
  removed: 0,
  preview: [],
  edited: false,
  conflict: false,
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
  gone: false,
  added: 0,
  removed: 0,
  count: 1,
  hunks: [HUNK],
};

function rowsFor(file: ReviewFileView): readonly ActiveRow[] {
  const group = {
    sessionId: 's',
    messageId: 'm',
    session: 'First',
    text: 'Do it',
    at: 0,
    count: file.count,
    added: 0,
    removed: 0,
    files: ['f'],
    hidden: 0,
  };
  return rowsOf(
    { groups: [group], files: { f: file } },
    'other',
    () => true,
  ) as readonly ActiveRow[];
}

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
          withdrawn: false,
          done: 1,
          elsewhere: 0,
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
  it('of what was undone and is not saved nothing is decided: it says what to do', async () => {
    const [request, file, hunk] = rowsFor(FILE);
    assert.ok(request !== undefined && file !== undefined && hunk !== undefined);
    assert.deepEqual([request, file, hunk].map(isOnlyUnsaved), [false, true, true]);
    assert.match(labelOf(hunk), /^Undone: save the file to finish/u);
    const { actions, asked, announcement } = actionsWith({});
    for (const row of [file, hunk])
      for (const decision of ['keep', 'undo'] as const) await actions.decideRow(decision, row);
    actions.comment.begin(hunk);
    const buttons = (row: ActiveRow) => render(h(ReviewButtons, { row, deciding: false, actions }));
    assert.deepEqual([file, hunk].map(buttons), ['', '']);
    assert.match(buttons(request), /review-keep.*review-undo/su);
    assert.deepEqual([asked, actions.comment.draft.value], [[], undefined]);
    assert.equal(announcement.value, 'Undone: save the file to finish.');
    assert.equal(actions.failures.value.get(hunk.key), 'Undone: save the file to finish.');
  });

  it('beside other changes they can be decided', () => {
    const change: ReviewHunkView = { ...HUNK, id: 'x', kind: 'change', lines: 1, added: 1 };
    const [, file, first, second] = rowsFor({ ...FILE, count: 2, hunks: [HUNK, change] });
    assert.deepEqual([file!, first!, second!].map(isOnlyUnsaved), [false, true, false]);
    const [, renamed] = rowsFor({ ...FILE, renamedFrom: 'old.ts' });
    assert.equal(isOnlyUnsaved(renamed!), false);
  });

  it('says how many changes by commands a bulk decision leaves', async () => {
    const { actions, announcement } = actionsWith({ left: 2 });
    await actions.decideAll('undo', [
      { path: 'a', hunkId: '1' },
      { path: 'a', hunkId: '2' },
      { path: 'b', hunkId: '3' },
    ]);
    const said =
      '2 changes by commands are left, because they may be yours. Review them one by one.';
    assert.equal(actions.left.value, said);
    assert.equal(announcement.value, `Undid 1 change. ${said} Nothing is left.`);
  });

  it('tells which files another window decided', async () => {
    const { actions, announcement } = actionsWith({ done: 2, elsewhere: 3, newer: 1 });
    await actions.decideAll('keep');
    assert.equal(
      actions.left.value,
      '2 files decided, 3 in another window. 1 change came meanwhile and is left to look at.',
    );
    assert.match(announcement.value, /^Kept 0 changes, 3 in another window\. Nothing is left\.$/u);
    const alone = actionsWith({});
    await alone.actions.decideAll('keep');
    assert.equal(alone.actions.left.value, '');
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

import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import type { DecidedView } from '../../../src/protocol/review-view.ts';
import { ReviewActions } from '../../../webview/review/review-actions.ts';

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

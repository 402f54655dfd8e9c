import assert from 'node:assert/strict';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { EMPTY_SESSION, type Snapshot } from '../../../src/protocol/snapshot.ts';
import { PanelStore } from '../../../webview/store.ts';
import { ViewState } from '../../../webview/view-state.ts';

const EMPTY = { draft: '', scroll: null };

describe('draft and place, on their way to the host', () => {
  let saved: [string | null, string][];
  let waiting: (() => void)[];

  /** A host that answers when `waiting` is called. */
  const slow = (): ViewState =>
    new ViewState((sessionId, view) => {
      saved.push([sessionId, view.draft ?? '(as it was)']);
      return new Promise<void>((resolve) => waiting.push(resolve));
    });

  const answer = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };

  beforeEach(() => {
    saved = [];
    waiting = [];
  });

  it('are sent with each key, whatever the host is busy with', () => {
    const state = slow();
    state.begin('one', EMPTY);
    for (const draft of ['a', 'ab', 'abc']) state.change({ draft });
    assert.deepEqual(
      saved.map(([, draft]) => draft),
      ['a', 'ab', 'abc'],
    );
  });

  it('of a long draft are sent as fast as the host has them on record', async () => {
    const state = slow();
    state.begin('one', EMPTY);
    const long = 'x'.repeat(20_000);
    for (const more of ['a', 'ab', 'abc']) state.change({ draft: long + more });
    assert.equal(saved.length, 1);
    await answer();
    assert.equal(saved.at(-1)?.[1], `${long}abc`);
    await answer();
    assert.equal(saved.length, 2);
  });

  it('are sent at once when the page goes, long or not', () => {
    const state = slow();
    state.begin('one', EMPTY);
    const long = 'x'.repeat(20_000);
    state.change({ draft: `${long} a` });
    state.change({ draft: `${long} the last key` });
    state.flush();
    assert.deepEqual(saved.at(-1), ['one', `${long} the last key`]);
    state.flush();
    assert.equal(saved.length, 2);
  });

  it('are saved for the session they belong to when another one is shown', async () => {
    const state = slow();
    state.begin('one', EMPTY);
    state.change({ draft: 'unsent' });
    state.begin('two', { draft: 'other', scroll: null });
    assert.deepEqual(saved, [['one', 'unsent']]);
  });

  it('move with a new session that becomes a real one', async () => {
    const state = slow();
    state.begin(null, EMPTY);
    state.change({ draft: 'typed meanwhile' });
    state.rename('made');
    assert.deepEqual(saved.slice(1), [
      [null, ''],
      ['made', 'typed meanwhile'],
    ]);
  });

  it('keep a message until the host has taken it', async () => {
    const state = slow();
    state.begin('one', EMPTY);
    const arrived = state.leaves({ text: 'a message', mentions: [] });
    state.change({ draft: 'next' });
    assert.deepEqual(saved.at(-1), ['one', 'a message\n\nnext']);
    arrived();
    await answer();
    assert.deepEqual(saved.at(-1), ['one', 'next']);
  });

  it('are not saved again when nothing has changed', () => {
    const state = slow();
    state.begin('one', { draft: 'a', scroll: null });
    state.change({ draft: 'a', scroll: null });
    state.flush();
    assert.equal(saved.length, 0);
  });

  it('of another place are taken over where nothing was typed since; scrolling sends no draft', async () => {
    const state = slow();
    state.begin('one', EMPTY);
    const theirs = (draft: string, after: number) => ({ draft, mentions: [], after });
    assert.equal(state.takes(theirs('theirs', 0)), true);
    state.change({ scroll: { messageId: 'm', offset: 1 } });
    assert.deepEqual(saved, [['one', '(as it was)']]);
    state.change({ draft: 'theirs and mine' });
    assert.equal(state.takes(theirs('theirs again', 0)), false, 'they did not know mine');
    assert.equal(state.view.draft, 'theirs and mine');
    await answer();
    assert.equal(state.takes(theirs('mine and theirs', 1)), true);
    assert.equal(state.view.draft, 'mine and theirs');
  });

  it('of a session that was shown before are not put into the one that is shown now', () => {
    const store = new PanelStore();
    const shows = (id: string, draft: string): void => {
      const session = { ...EMPTY_SESSION, id, saved: { draft, scroll: null } };
      const sessions = { rows: [], total: 0, error: null, deleted: null };
      const app = store.app.peek();
      store.show({ app, models: [], sessions, session, review: EMPTY_REVIEW } satisfies Snapshot);
    };
    shows('one', 'first');
    shows('one', 'second');
    assert.equal(store.saved.drafted.peek()?.draft, 'second');
    shows('two', 'other');
    assert.equal(store.saved.drafted.peek(), null);
    assert.equal(store.saved.shown.peek().draft, 'other');
  });
});

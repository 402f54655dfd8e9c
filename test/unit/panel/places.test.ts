import assert from 'node:assert/strict';
import { PanelHost } from '../../../src/panel/panel-host.ts';
import { Mirror, settled } from './mirror.ts';
import { begin, open, S, say, text } from './open-panel.ts';
import type { Stage } from './stage.ts';

/** A tab beside the view, with a session on screen. */
async function tabOf(
  stage: Stage,
  sessionId: string | null,
  newSession = 'new/1',
): Promise<{ readonly host: PanelHost; readonly tab: Mirror }> {
  const host = new PanelHost(stage.services, { shared: stage.shared, tab: { newSession } });
  const tab = new Mirror(host);
  await host.show(sessionId);
  await tab.ready();
  return { host, tab };
}

const answerOf = ({ session }: Mirror): string =>
  session.messages
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('|');

describe('a session in the view and in tabs', () => {
  it('is the same everywhere, live, also in a tab that is opened in the middle of an answer', async () => {
    const { stage, mirror, clock } = await open();
    begin(stage);
    say(stage, 'The first half');
    const { tab } = await tabOf(stage, S);
    assert.equal(tab.session.run.phase, 'streaming');
    assert.equal(answerOf(tab), 'The first half');
    say(stage, ' and the second.');
    await clock.advance(100);
    assert.equal(answerOf(tab), 'The first half and the second.');
    assert.equal(answerOf(mirror), 'The first half and the second.');
    const stop = await tab.request('stop', { sessionId: S });
    assert.equal(stop, null);
    assert.ok(stage.calls.includes(`cancel ${S}`));
  });

  it('goes on out of sight when its tab is closed in the middle, and nothing of it is lost', async () => {
    const { stage, mirror, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    const { host } = await tabOf(stage, 'two');
    begin(stage, 'two');
    say(stage, 'Begun in a tab', 'two');
    host.dispose();
    say(stage, ', ended nowhere', 'two');
    await mirror.request('openSession', { sessionId: 'two' });
    await clock.advance(100);
    assert.equal(answerOf(mirror), 'Begun in a tab, ended nowhere');
  });

  it('two sessions at work side by side do not mix', async () => {
    const { stage, mirror, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    const { tab } = await tabOf(stage, 'two');
    begin(stage);
    begin(stage, 'two');
    for (const word of ['a', 'b', 'c']) {
      say(stage, word);
      say(stage, word.toUpperCase(), 'two');
    }
    await clock.advance(100);
    assert.equal(answerOf(mirror), 'abc');
    assert.equal(answerOf(tab), 'ABC');
    assert.equal(stage.lastSession, S, 'the view’s session stays the view’s');
  });

  it('asks in each place that shows it, and in no other; an answer from one counts for both', async () => {
    const { stage, mirror, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    const { tab } = await tabOf(stage, S);
    const { tab: other } = await tabOf(stage, 'two', 'new/2');
    stage.ask({ id: 'q', sessionId: S, callId: 'call' });
    await clock.advance(100);
    assert.equal(mirror.session.approvals.length, 1);
    assert.equal(tab.session.approvals.length, 1);
    assert.equal(other.session.approvals.length, 0);
    const row = other.snapshot?.sessions.rows.find(({ id }) => id === S);
    assert.equal(row?.state, 'approval', 'the list of each place tells');
    const answer = { questionId: 'q', hash: 'hash-of-what-was-shown', allowed: true };
    await tab.request('answerApproval', answer);
    await clock.advance(100);
    assert.equal(mirror.session.approvals.length, 0);
    assert.equal(tab.session.approvals.length, 0);
  });

  it('has one draft: what is typed in one place is in the other, and the scroll place is its own', async () => {
    const { stage, mirror, clock } = await open();
    const { tab } = await tabOf(stage, S);
    const scroll = { messageId: 'm', offset: 3 };
    await tab.request('saveViewState', { sessionId: S, draft: 'from the tab', scroll, typed: 1 });
    await clock.advance(100);
    assert.equal(mirror.session.saved.draft, 'from the tab');
    assert.equal(mirror.session.saved.scroll, null);
    // A place that only scrolls does not take back what is typed in the other.
    await mirror.request('saveViewState', { sessionId: S, scroll: null });
    assert.equal(stage.saved.get(S)?.draft, 'from the tab');
    await mirror.request('saveViewState', { sessionId: S, draft: 'last', scroll: null, typed: 1 });
    await tab.ready();
    assert.deepEqual(tab.session.saved, { draft: 'last', scroll });
    await mirror.request('send', { sessionId: S, text: 'last', attachments: [], how: 'queue' });
    await clock.advance(100);
    assert.equal(tab.session.saved.draft, '', 'sent from the view: gone from the tab');
  });

  it('tells which of a place’s own drafts it knew, so that letters typed meanwhile count', async () => {
    const { stage, mirror, clock } = await open();
    const { tab } = await tabOf(stage, S);
    await mirror.request('saveViewState', { sessionId: S, draft: 'v', scroll: null, typed: 7 });
    await tab.request('saveViewState', { sessionId: S, draft: 'vt', scroll: null, typed: 1 });
    await clock.advance(100);
    const drafts = mirror.posted.flatMap((message) =>
      message.type === 'changes' ? message.changes.filter(({ type }) => type === 'draft') : [],
    );
    assert.deepEqual(drafts, [{ type: 'draft', draft: 'vt', mentions: [], after: 7 }]);
  });

  it('new sessions of the view and of each tab have drafts of their own, which go with their first message', async () => {
    const { stage, mirror } = await open((made) => {
      made.lastSession = undefined;
    });
    const { tab } = await tabOf(stage, null);
    await mirror.request('saveViewState', { sessionId: null, draft: 'in the view', scroll: null });
    await tab.request('saveViewState', { sessionId: null, draft: 'in the tab', scroll: null });
    await tab.ready();
    assert.equal(tab.session.saved.draft, 'in the tab');
    await mirror.request('send', {
      sessionId: null,
      text: 'in the view',
      attachments: [],
      how: 'queue',
    });
    await tab.ready();
    assert.equal(tab.session.id, null);
    assert.equal(tab.session.saved.draft, 'in the tab');
  });

  it('that is deleted says so in its tab, and is there again when that is undone', async () => {
    const { stage, mirror, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    stage.store('two', 'user', [text('precious')]);
    const { tab } = await tabOf(stage, 'two');
    await mirror.request('deleteSessions', { sessionIds: ['two'] });
    await clock.advance(100);
    assert.equal(mirror.session.id, S, 'the view stays where it is');
    assert.equal(tab.session.error, 'This session was deleted.');
    assert.equal(tab.snapshot?.sessions.deleted?.canUndo, true);
    await tab.request('undoDelete', {});
    await clock.advance(100);
    assert.equal(tab.session.error, null);
    assert.equal(answerOf(tab), 'precious');
  });

  it('has its model and its queue everywhere, whoever changed them', async () => {
    const { stage, mirror, clock } = await open();
    const { tab, host } = await tabOf(stage, S);
    await tab.request('setMode', { sessionId: S, mode: 'edit' });
    await clock.advance(100);
    assert.equal(mirror.session.options.mode, 'edit');
    stage.queue.push({
      id: 'later',
      sessionId: S,
      position: 0,
      text: 'Then this',
      attachments: [],
      mode: 'queue',
      createdAt: 0,
    });
    stage.publish(S, { type: 'session.queue', queued: stage.queue });
    await clock.advance(100);
    for (const place of [mirror, tab]) assert.equal(place.session.queue[0]?.text, 'Then this');
    host.dispose();
    stage.publish(S, { type: 'session.titled', title: 'After the tab' });
    await settled();
  });

  it('that waits for its turn says so in each place, and for what, until it is its turn', async () => {
    const { stage, mirror, clock } = await open();
    const { tab } = await tabOf(stage, S);
    stage.turns.set(S, { running: 2, before: 1 });
    stage.publish(S, { type: 'session.queue', queued: [] });
    await clock.advance(100);
    for (const place of [mirror, tab]) {
      assert.deepEqual(place.session.turn, { running: 2, before: 1 });
      assert.equal(place.snapshot?.sessions.rows.find(({ id }) => id === S)?.state, 'turn');
    }
    stage.turns.set(S, { running: 2, before: 0 });
    stage.publish('other', { type: 'agent_run.started', model: 'm', resumed: false });
    await clock.advance(100);
    assert.deepEqual(tab.session.turn, { running: 2, before: 0 });
    stage.turns.clear();
    begin(stage);
    await clock.advance(100);
    assert.equal(tab.session.turn, null);
  });

  it('a hidden tab gets nothing until it is shown again, then everything at once', async () => {
    const { stage, clock } = await open();
    const { tab } = await tabOf(stage, S);
    await tab.setVisible(false);
    const before = tab.posted.length;
    begin(stage);
    say(stage, 'Said while hidden');
    await clock.advance(1000);
    assert.equal(tab.posted.length, before);
    await tab.setVisible(true);
    assert.equal(answerOf(tab), 'Said while hidden');
  });
});

import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { UNDO_TIME } from '../../../src/panel/session/session-deletions.ts';
import { open, S, text } from './open-panel.ts';

describe('sessions that are deleted', () => {
  it('are out of sight at once and on disk until the time to undo it is over', async () => {
    const { mirror, stage, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    await mirror.request('deleteSessions', { sessionIds: [S, 'two'] });
    await clock.advance(100);
    assert.equal(mirror.session.id, null, 'the one on screen goes, too');
    assert.deepEqual(mirror.snapshot?.sessions.rows, []);
    assert.deepEqual(mirror.snapshot?.sessions.deleted, {
      said: '2 sessions deleted.',
      canUndo: true,
    });
    await clock.advance(UNDO_TIME - 200);
    assert.equal(stage.sessions.size, 2);
    await clock.advance(200);
    await mirror.request('finishDelete', {});
    assert.equal(stage.sessions.size, 0);
    assert.equal(mirror.snapshot?.sessions.deleted, null);
    assert.equal(mirror.snapshot?.sessions.total, 0);
  });

  it('come back with everything, on the screen, too', async () => {
    const { mirror, stage, clock } = await open();
    stage.store(S, 'user', [text('precious')]);
    await mirror.request('saveViewState', { sessionId: S, draft: 'half a thought', scroll: null });
    await mirror.request('deleteSessions', { sessionIds: [S] });
    await mirror.request('undoDelete', {});
    await clock.advance(UNDO_TIME * 2);
    assert.equal(stage.sessions.has(S), true);
    assert.equal(mirror.session.id, S);
    assert.equal(mirror.session.saved.draft, 'half a thought');
    assert.equal(mirror.snapshot?.sessions.rows.length, 1);
    assert.equal(mirror.snapshot?.sessions.deleted, null);
    assert.deepEqual(
      stage.calls.filter((one) => /^(?:delete|bringBack)/u.test(one)),
      [`bringBack ${S}`],
    );
  });

  it('are together what one undo brings back', async () => {
    const { mirror, stage, clock } = await open();
    stage.addSession({ id: 'two', title: 'Second' });
    await mirror.request('deleteSessions', { sessionIds: [S] });
    await clock.advance(UNDO_TIME - 1000);
    await mirror.request('deleteSessions', { sessionIds: ['two'] });
    await clock.advance(2000);
    await mirror.request('undoDelete', {});
    await clock.advance(UNDO_TIME * 2);
    assert.deepEqual([...stage.sessions.keys()], [S, 'two']);
  });

  it('are kept, with a sentence, where something was written meanwhile', async () => {
    const { mirror, stage, clock } = await open();
    const session = stage.sessions.get(S);
    assert.ok(session !== undefined);
    await mirror.request('deleteSessions', { sessionIds: [S] });
    stage.addSession({ ...session, title: 'Kept', messageCount: session.messageCount + 1 });
    await clock.advance(UNDO_TIME);
    await mirror.request('listSessions', {});
    await clock.advance(100);
    assert.equal(stage.sessions.has(S), true);
    const { deleted, rows } = mirror.snapshot?.sessions ?? {};
    assert.match(deleted?.said ?? '', /was kept: something was written in it meanwhile/u);
    assert.equal(deleted?.canUndo, false);
    assert.equal(rows?.length, 1);
  });

  it('stay where they are when another window works on them', async () => {
    const { mirror, stage } = await open();
    stage.failure = new BelayError({ code: 'busy', message: 'At work in another window.' });
    await assert.rejects(
      mirror.request('deleteSessions', { sessionIds: [S] }),
      /At work in another window/u,
    );
    assert.equal(mirror.snapshot?.sessions.rows.length, 1);
    assert.equal(mirror.snapshot?.sessions.deleted, null);
  });

  it('are deleted for good when the window closes', async () => {
    const { mirror, stage } = await open();
    await mirror.request('deleteSessions', { sessionIds: [S] });
    await stage.panel.list.deletions.finish();
    assert.equal(stage.sessions.size, 0);
  });
});

describe('marks of sessions', () => {
  it('are in the list, and a message takes a session out of the archive', async () => {
    const { mirror, stage, clock } = await open();
    await mirror.request('markSessions', { sessionIds: [S], pinned: true });
    await clock.advance(100);
    assert.equal(mirror.snapshot?.sessions.rows[0]?.pinned, true);
    await mirror.request('markSessions', { sessionIds: [S], archived: true });
    await clock.advance(100);
    assert.equal(mirror.snapshot?.sessions.rows[0]?.archived, true);
    await mirror.request('send', { sessionId: S, text: 'Go on', attachments: [], how: 'queue' });
    await clock.advance(100);
    assert.equal(mirror.snapshot?.sessions.rows[0]?.archived, undefined);
    assert.deepEqual(
      stage.calls.filter((one) => one.startsWith('mark')),
      [
        `mark ${S} {"pinned":true,"archived":false}`,
        `mark ${S} {"pinned":false,"archived":true}`,
        `mark ${S} {"archived":false}`,
      ],
    );
  });

  it('say that the newest run has failed, but not while the next one is on', async () => {
    const { mirror, stage, clock } = await open();
    const session = stage.sessions.get(S);
    assert.ok(session !== undefined);
    stage.addSession({ ...session, failed: true });
    await clock.advance(100);
    assert.equal(mirror.snapshot?.sessions.rows[0]?.state, 'failed');
    stage.busy.add(S);
    stage.listChanged();
    await clock.advance(100);
    assert.equal(mirror.snapshot?.sessions.rows[0]?.state, 'running');
  });
});

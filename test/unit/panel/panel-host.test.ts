import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Run } from '../../../src/domain/run.ts';
import { settled } from './mirror.ts';
import { begin, open, S, say, text } from './open-panel.ts';

describe('the panel host', () => {
  it('shows the session that was shown last, with its stored messages', async () => {
    const { mirror } = await open((stage) => {
      stage.store(S, 'user', [text('Hello')]);
      stage.store(S, 'assistant', [text('Hi')]);
    });
    assert.equal(mirror.session.id, S);
    assert.equal(mirror.session.title, 'First');
    assert.deepEqual(
      mirror.session.messages.map((message) => message.parts[0]),
      [text('Hello'), text('Hi')],
    );
  });

  it('C8: counts the sessions that were cut off, and tells when one was or is no more', async () => {
    const { stage } = await open();
    const host = stage.panel;
    const heard: number[] = [];
    host.onStateChange(() => heard.push(host.state.cutOff));
    const run = { id: 'cut', sessionId: S, state: 'timed_out', resumeAvailable: true } as Run;
    stage.runs.push(run);
    await host.list.reload();
    assert.deepEqual(heard, [1]);
    stage.runs.splice(stage.runs.indexOf(run), 1);
    await host.list.reload();
    assert.deepEqual(heard, [1, 0]);
  });

  it('C8: warns of changed tools once the MCP servers that were starting are there', async () => {
    const run = { id: 'cut', sessionId: S, state: 'timed_out', startedAt: 1, iteration: 1 } as Run;
    const handoff = { run, written: [], finished: [], unknown: [], resumable: true };
    const { stage, mirror } = await open((made) =>
      made.handoffs.set(S, { ...handoff, promptDrift: false }),
    );
    assert.equal(mirror.session.handoff?.promptDrift, false);
    stage.handoffs.set(S, { ...handoff, promptDrift: true });
    stage.panel.serversChanged();
    await settled();
    assert.equal(stage.panel.session.view.handoff?.promptDrift, true);
  });

  it('lets a person write before the session is read', async () => {
    const reading = Promise.withResolvers<void>();
    const { mirror } = await open((stage) => {
      stage.reading = reading.promise;
      stage.saved.set(S, { draft: 'half a thought', scroll: null });
    });
    assert.equal(mirror.snapshots, 0, 'what was painted stays');
    await mirror.request('saveViewState', { sessionId: S, draft: 'a thought', scroll: null });
    reading.resolve();
    await settled();
    assert.equal(mirror.snapshots, 1);
    assert.equal(mirror.session.loading, false);
    assert.equal(mirror.session.saved.draft, 'a thought');
  });

  it('says that another session is being read only when that takes a while', async () => {
    const { clock, stage, mirror } = await open((made) =>
      made.addSession({ id: 'other', title: 'Other' }),
    );
    await mirror.request('openSession', { sessionId: 'other' });
    assert.deepEqual(
      [mirror.snapshots, mirror.session.id, mirror.session.loading],
      [2, 'other', false],
    );
    const reading = Promise.withResolvers<void>();
    stage.reading = reading.promise;
    const opened = mirror.request('openSession', { sessionId: S });
    await clock.advance(1);
    stage.panel.line.push([
      { type: 'draft', draft: 'of the next session', mentions: [], after: 0 },
    ]);
    await clock.advance(58);
    assert.deepEqual(
      [mirror.snapshots, mirror.session.id, mirror.session.saved.draft],
      [2, 'other', ''],
    );
    await clock.advance(1);
    assert.deepEqual([mirror.snapshots, mirror.session.id, mirror.session.loading], [3, S, true]);
    reading.resolve();
    await opened;
    assert.deepEqual([mirror.snapshots, mirror.session.id, mirror.session.loading], [4, S, false]);
  });

  it('begins a new session when the last one is gone', async () => {
    const { mirror } = await open((stage) => stage.sessions.delete(S));
    assert.equal(mirror.session.id, null);
    assert.equal(mirror.session.error, null);
  });

  it('says why a session cannot be read, and shows no empty one', async () => {
    const { mirror } = await open((stage) => {
      stage.reading = Promise.reject(
        new BelayError({ code: 'store', message: 'The database is damaged.' }),
      );
      stage.reading.catch(() => undefined);
    });
    assert.equal(mirror.session.error, 'The database is damaged.');
    assert.equal(mirror.session.id, S);
  });

  it('E1: shows an answer as it grows, and the stored message at the end', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    say(stage, 'Hel');
    await clock.advance(30);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('Hel')]);
    assert.equal(mirror.session.run.phase, 'streaming');
    say(stage, 'lo');
    const message = stage.store(
      S,
      'assistant',
      [text('Hello'), { type: 'finish', reason: 'end_turn' }],
      { id: `live-${S}` },
    );
    stage.publish(S, { type: 'message.completed', message });
    await clock.advance(60);
    assert.equal(mirror.session.messages.at(-1)?.open, false);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, message.parts);
  });

  it('sends 120,000 characters in 4,000 deltas with at most 600 posts and 300 kB, and no text twice', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    await clock.advance(100);
    const before = { posts: mirror.posted.length, bytes: mirror.bytes };
    const delta = 'thirty characters of text, yes';
    for (let index = 0; index < 4000; index += 1) {
      say(stage, delta);
      await clock.advance(2);
    }
    const whole = delta.repeat(4000);
    const message = stage.store(
      S,
      'assistant',
      [text(whole), { type: 'finish', reason: 'end_turn' }],
      { id: `live-${S}` },
    );
    stage.publish(S, { type: 'message.part', messageId: message.id, index: 0, part: text(whole) });
    stage.publish(S, { type: 'message.completed', message });
    await clock.advance(100);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts[0], text(whole));
    assert.ok(
      mirror.posted.length - before.posts <= 600,
      `${mirror.posted.length - before.posts} posts`,
    );
    assert.ok(mirror.bytes - before.bytes <= 300_000, `${mirror.bytes - before.bytes} bytes`);
  }).timeout(30_000);

  it('sends one batch to a panel that does not acknowledge, and all of it later', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    await clock.advance(100);
    mirror.acknowledges = false;
    const before = mirror.posted.length;
    for (let index = 0; index < 200; index += 1) {
      say(stage, 'x');
      await clock.advance(20);
    }
    assert.equal(mirror.posted.length - before, 1);
    mirror.acknowledges = true;
    mirror.acknowledge();
    await clock.advance(30);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('x'.repeat(200))]);
  });

  it('sends nothing to a hidden panel, and a snapshot when it is shown', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    await clock.advance(100);
    await mirror.setVisible(false);
    const before = mirror.posted.length;
    say(stage, 'unseen');
    await clock.advance(10_000);
    assert.equal(mirror.posted.length, before);
    assert.equal(clock.pending, 0);
    await mirror.setVisible(true);
    assert.equal(mirror.posted.length, before + 1);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('unseen')]);
  });

  it('has no timer when nothing happens', async () => {
    const { clock } = await open();
    await clock.advance(1000);
    assert.equal(clock.pending, 0);
  });

  it('gives a snapshot to a panel that has lost a batch', async () => {
    const { mirror } = await open();
    const before = mirror.snapshots;
    await mirror.ready();
    assert.equal(mirror.snapshots, before + 1);
  });

  it('C7: shows a session that runs in the background with the answer that is being written', async () => {
    const { clock, stage, mirror } = await open((made) => made.addSession({ id: 'two' }));
    stage.store('two', 'user', [text('Question')]);
    begin(stage, 'two');
    say(stage, 'Half an ', 'two');
    await mirror.request('openSession', { sessionId: 'two' });
    say(stage, 'answer', 'two');
    await clock.advance(100);
    assert.equal(mirror.session.id, 'two');
    assert.deepEqual(
      mirror.session.messages.map((message) => message.parts[0]),
      [text('Question'), text('Half an answer')],
    );
    await mirror.request('openSession', { sessionId: S });
    say(stage, ' and more', 'two');
    await mirror.request('openSession', { sessionId: 'two' });
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('Half an answer and more')]);
  });

  it('loses nothing that happens while the session is being read', async () => {
    const reading = Promise.withResolvers<void>();
    const { clock, stage, mirror } = await open((made) => made.addSession({ id: 'two' }));
    stage.reading = reading.promise;
    const opening = mirror.request('openSession', { sessionId: 'two' });
    await settled();
    begin(stage, 'two');
    say(stage, 'meanwhile', 'two');
    reading.resolve();
    await opening;
    await clock.advance(100);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('meanwhile')]);
    assert.equal(mirror.session.run.phase, 'streaming');
  });

  it('shows the session that was asked for last when reading an earlier one takes longer', async () => {
    const reading = Promise.withResolvers<void>();
    const { stage, mirror } = await open((made) => made.addSession({ id: 'two', title: 'Slow' }));
    stage.reading = reading.promise;
    const slow = mirror.request('openSession', { sessionId: 'two' });
    stage.reading = Promise.resolve();
    await mirror.request('newSession', {});
    reading.resolve();
    await slow;
    assert.equal(mirror.session.id, null);
  });

  it('D9: says when another session waits for the person', async () => {
    const { clock, stage, mirror } = await open((made) => {
      made.addSession({ id: 'two', title: 'Other' });
      made.addSession({ id: 'child', type: 'task', parentId: 'two' });
    });
    stage.ask({ sessionId: 'child', callId: 'c' });
    await clock.advance(100);
    const row = mirror.snapshot?.sessions.rows.find(({ id }) => id === 'two');
    assert.equal(row?.state, 'approval');
    assert.equal(mirror.session.approvals.length, 0);
    assert.equal(stage.panel.state.waiting, 1);
    await mirror.request('openSession', { sessionId: 'two' });
    assert.equal(mirror.session.approvals.length, 1);
  });

  it('tells commands and indicators what is shown, and whether it runs', async () => {
    const { stage } = await open();
    let told = 0;
    const listening = stage.panel.onStateChange(() => {
      told += 1;
    });
    begin(stage);
    assert.deepEqual(stage.panel.state, { sessionId: S, busy: true, waiting: 0, cutOff: 0 });
    stage.publish(S, {
      type: 'agent_run.completed',
      end: { reason: 'done', state: 'completed', canContinue: false },
    });
    assert.deepEqual(stage.panel.state, { sessionId: S, busy: false, waiting: 0, cutOff: 0 });
    assert.equal(told, 2);
    listening.dispose();
  });

  it('keeps a signal until the panel can see it', async () => {
    const { stage, mirror } = await open();
    await mirror.setVisible(false);
    stage.panel.line.signal({ kind: 'focus_input' });
    assert.deepEqual(mirror.signals, []);
    await mirror.setVisible(true);
    assert.deepEqual(mirror.signals, [{ kind: 'focus_input' }]);
  });

  it('releases everything when it is disposed of', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    stage.panel.dispose();
    stage.shared.dispose();
    const before = mirror.posted.length;
    say(stage, 'x');
    await clock.advance(1000);
    assert.equal(mirror.posted.length, before);
    assert.equal(stage.broker.size, 0);
    assert.equal(clock.pending, 0);
  });
});

import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Part } from '../../../src/domain/message.ts';
import { SNAPSHOT_MESSAGES } from '../../../src/protocol/snapshot.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { Mirror, settled } from './mirror.ts';
import { Stage } from './stage.ts';

const S = 'one';

/** A stage with the session `one` on screen. */
async function open(
  prepare: (stage: Stage) => void = () => undefined,
): Promise<{ clock: FakeClock; stage: Stage; mirror: Mirror }> {
  const clock = new FakeClock();
  const stage = new Stage(clock, (made) => {
    made.addSession({ id: S, title: 'First' });
    made.lastSession = S;
    prepare(made);
  });
  const mirror = new Mirror(stage.panel);
  await mirror.ready();
  return { clock, stage, mirror };
}

const text = (value: string): Part => ({ type: 'text', text: value });

function begin(stage: Stage, sessionId = S): void {
  stage.busy.add(sessionId);
  const seq = (stage.messages.get(sessionId)?.length ?? 0) + 1;
  stage.publish(
    sessionId,
    { type: 'agent_run.started', model: 'm', resumed: false },
    { type: 'message.started', messageId: `live-${sessionId}`, messageSeq: seq, model: 'm' },
  );
}

function say(stage: Stage, value: string, sessionId = S): void {
  stage.publish(sessionId, {
    type: 'message.delta',
    messageId: `live-${sessionId}`,
    index: 0,
    kind: 'text',
    text: value,
  });
}

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

  it('lets a person write before the session is read', async () => {
    const reading = Promise.withResolvers<void>();
    const { mirror } = await open((stage) => {
      stage.reading = reading.promise;
      stage.saved.set(S, { draft: 'half a thought', scroll: null });
    });
    assert.equal(mirror.session.loading, true);
    assert.equal(mirror.session.saved.draft, 'half a thought');
    reading.resolve();
    await settled();
    assert.equal(mirror.session.loading, false);
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

  it('security 8: passes on an answer with the hash of what was shown, and refuses another', async () => {
    const { clock, stage, mirror } = await open();
    stage.ask({ sessionId: S, callId: 'c', detail: 'rm -rf build' });
    await clock.advance(100);
    const [approval] = mirror.session.approvals;
    assert.ok(approval !== undefined);
    assert.equal(approval.detail, 'rm -rf build');
    const { questionId, hash } = approval;
    await assert.rejects(
      mirror.request('answerApproval', { questionId, hash: 'forged', allowed: true }),
      /has changed/u,
    );
    await mirror.request('answerApproval', { questionId, hash, allowed: false, reason: 'not now' });
    await clock.advance(100);
    assert.deepEqual(stage.calls, [`deny ${questionId} not now`]);
    assert.deepEqual(mirror.session.approvals, []);
  });

  it('refuses a request with wrong parameters in a sentence, and does nothing', async () => {
    const { stage, mirror } = await open();
    await assert.rejects(
      mirror.requestRaw('deleteSession', { sessionId: '' }),
      /deleteSession: sessionId/u,
    );
    assert.deepEqual(stage.calls, []);
    assert.ok(stage.sessions.has(S));
  });

  it('makes a new session real with its first message, and keeps what was chosen for it', async () => {
    const { stage, mirror } = await open();
    await mirror.request('newSession', {});
    await mirror.request('setMode', { sessionId: null, mode: 'edits' });
    const before = stage.sessions.size;
    const answer = await mirror.request('send', {
      sessionId: null,
      text: 'Go',
      attachments: [],
      how: 'queue',
    });
    assert.equal(stage.sessions.size, before + 1);
    assert.equal(mirror.session.id, answer.sessionId);
    assert.equal(mirror.session.options.mode, 'edits');
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('Go')]);
    assert.equal(stage.lastSession, answer.sessionId);
  });

  it('shows the message before the reply, so that nothing flickers', async () => {
    const { mirror } = await open();
    mirror.acknowledges = false;
    await mirror.request('send', { sessionId: S, text: 'Go', attachments: [], how: 'queue' });
    const types = mirror.posted.slice(-2).map(({ type }) => type);
    assert.deepEqual(types, ['changes', 'reply']);
    assert.deepEqual(mirror.session.messages.at(-1)?.parts, [text('Go')]);
  });

  it('C7: shows, edits and removes queued messages', async () => {
    const { clock, stage, mirror } = await open();
    stage.busy.add(S);
    await mirror.request('send', { sessionId: S, text: 'Later', attachments: [], how: 'queue' });
    await mirror.request('send', { sessionId: S, text: 'Soon', attachments: [], how: 'steer' });
    assert.deepEqual(
      mirror.session.queue.map(({ text: queued, mode }) => [queued, mode]),
      [
        ['Later', 'queue'],
        ['Soon', 'steer'],
      ],
    );
    const [first, second] = mirror.session.queue;
    await mirror.request('editQueued', { id: first?.id ?? '', text: 'Much later' });
    await mirror.request('removeQueued', { id: second?.id ?? '' });
    await clock.advance(100);
    assert.deepEqual(
      mirror.session.queue.map(({ text: queued }) => queued),
      ['Much later'],
    );
  });

  it('gives the sentence of a failure to the panel, and the stack of a defect to the log only', async () => {
    const { stage, mirror } = await open();
    stage.failure = new BelayError({ code: 'store', message: 'The disk is full.' });
    await assert.rejects(
      mirror.request('send', { sessionId: S, text: 'Go', attachments: [], how: 'queue' }),
      /^Error: The disk is full\.$/u,
    );
    assert.deepEqual(stage.logged, []);
    stage.failure = new TypeError('x is undefined') as unknown as BelayError;
    await assert.rejects(
      mirror.request('continueRun', { sessionId: S }),
      /Everything up to here is kept/u,
    );
    assert.equal(stage.logged.length, 1);
  });

  it('loads older messages a page at a time until the first', async () => {
    const { mirror } = await open((stage) => {
      for (let index = 1; index <= 400; index += 1)
        stage.store(S, index % 2 === 1 ? 'user' : 'assistant', [text(`m${index}`)]);
    });
    assert.equal(mirror.session.messages.length, SNAPSHOT_MESSAGES);
    let { messages, hasOlder } = mirror.session;
    while (hasOlder) {
      const page = await mirror.request('loadOlder', {
        sessionId: S,
        beforeSeq: messages[0]?.seq ?? 0,
      });
      assert.ok(page.messages.length > 0);
      messages = [...page.messages, ...messages];
      ({ hasOlder } = page);
    }
    assert.deepEqual(
      messages.map(({ seq }) => seq),
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
  });

  it('keeps big results in the host until they are asked for', async () => {
    const big = 'line\n'.repeat(20_000);
    const { mirror } = await open((stage) => {
      stage.store(S, 'assistant', [
        { type: 'tool_call', id: 'c', name: 'run_command', input: { command: 'npm test' } },
      ]);
      stage.store(S, 'tool', [
        {
          type: 'tool_result',
          callId: 'c',
          name: 'run_command',
          state: 'done',
          content: [text(big) as { type: 'text'; text: string }],
        },
      ]);
    });
    const [message] = mirror.session.messages;
    const tool = message?.parts[0];
    assert.ok(tool?.type === 'tool');
    assert.equal(tool.result?.total, big.length);
    assert.ok((tool.result?.text.length ?? 0) < 4096);
    assert.ok(mirror.bytes < 20_000);
    const page = await mirror.request('loadResult', {
      sessionId: S,
      seq: message?.seq ?? 0,
      callId: 'c',
      what: 'result',
      offset: 0,
    });
    assert.deepEqual(page, { text: big, total: big.length, next: null });
  });

  it('E3: pages through a result that was cut, as it is on disk', async () => {
    const { mirror } = await open((stage) => {
      stage.store(S, 'assistant', [{ type: 'tool_call', id: 'c', name: 'read_file', input: {} }]);
      stage.store(S, 'tool', [
        {
          type: 'tool_result',
          callId: 'c',
          name: 'read_file',
          state: 'done',
          content: [{ type: 'text', text: 'start' }],
          cut: { resultId: 'r', shown: 5, total: 1_000_000 },
        },
      ]);
    });
    let read = 0;
    let next: number | null = 0;
    let total = 0;
    while (next !== null) {
      const page: { text: string; total: number; next: number | null } = await mirror.request(
        'loadResult',
        { sessionId: S, seq: 1, callId: 'c', what: 'result', offset: next },
      );
      read += page.text.length;
      ({ next, total } = page);
    }
    assert.equal(read, total);
    assert.equal(total, 1_000_000);
  });

  it('tells commands and indicators what is shown, and whether it runs', async () => {
    const { stage } = await open();
    let told = 0;
    const listening = stage.panel.onStateChange(() => {
      told += 1;
    });
    begin(stage);
    assert.deepEqual(stage.panel.state, { sessionId: S, busy: true, waiting: 0 });
    stage.publish(S, {
      type: 'agent_run.completed',
      end: { reason: 'done', state: 'completed', canContinue: false },
    });
    assert.deepEqual(stage.panel.state, { sessionId: S, busy: false, waiting: 0 });
    assert.equal(told, 2);
    listening.dispose();
  });

  it('keeps a signal until the panel can see it', async () => {
    const { stage, mirror } = await open();
    await mirror.setVisible(false);
    stage.panel.signal({ kind: 'focus_input' });
    assert.deepEqual(mirror.signals, []);
    await mirror.setVisible(true);
    assert.deepEqual(mirror.signals, [{ kind: 'focus_input' }]);
  });

  it('releases everything when it is disposed of', async () => {
    const { clock, stage, mirror } = await open();
    begin(stage);
    stage.panel.dispose();
    const before = mirror.posted.length;
    say(stage, 'x');
    await clock.advance(1000);
    assert.equal(mirror.posted.length, before);
    assert.equal(stage.broker.size, 0);
    assert.equal(clock.pending, 0);
  });

  it('saves and restores draft and place', async () => {
    const { mirror } = await open();
    const scroll = { messageId: 'm', offset: 12 };
    await mirror.request('saveViewState', { sessionId: S, draft: 'unsent', scroll });
    await mirror.ready();
    assert.deepEqual(mirror.session.saved, { draft: 'unsent', scroll });
  });

  it('goes to a new session when the one on screen is deleted', async () => {
    const { mirror, stage } = await open();
    await mirror.request('deleteSession', { sessionId: S });
    assert.equal(mirror.session.id, null);
    assert.deepEqual(stage.calls, [`delete ${S}`]);
    assert.deepEqual(mirror.snapshot?.sessions.rows, []);
  });
});

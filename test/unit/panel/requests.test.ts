import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { SNAPSHOT_MESSAGES } from '../../../src/protocol/snapshot.ts';
import { open, S, text } from './open-panel.ts';

describe('requests of the panel', () => {
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
      mirror.requestRaw('deleteSessions', { sessionIds: [''] }),
      /deleteSessions: sessionIds/u,
    );
    assert.deepEqual(stage.calls, []);
    assert.ok(stage.sessions.has(S));
  });

  it('makes a new session real with its first message, and keeps what was chosen for it', async () => {
    const { stage, mirror } = await open();
    await mirror.request('newSession', {});
    await mirror.request('setMode', { sessionId: null, mode: 'edit' });
    const before = stage.sessions.size;
    const answer = await mirror.request('send', {
      sessionId: null,
      text: 'Go',
      attachments: [],
      how: 'queue',
    });
    assert.equal(stage.sessions.size, before + 1);
    assert.equal(mirror.session.id, answer.sessionId);
    assert.equal(mirror.session.options.mode, 'edit');
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

  it('C7: shows, edits, moves and removes queued messages', async () => {
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
    await mirror.request('moveQueued', { id: second?.id ?? '', index: 0 });
    await clock.advance(100);
    assert.deepEqual(
      mirror.session.queue.map(({ text: queued }) => queued),
      ['Soon', 'Much later'],
    );
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

  it('saves and restores draft and place', async () => {
    const { mirror } = await open();
    const scroll = { messageId: 'm', offset: 12 };
    await mirror.request('saveViewState', { sessionId: S, draft: 'unsent', scroll });
    await mirror.ready();
    assert.deepEqual(mirror.session.saved, { draft: 'unsent', scroll });
  });
});

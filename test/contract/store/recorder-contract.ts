import assert from 'node:assert/strict';
import { categoryOf } from '../../../src/domain/event-catalog.ts';
import type { RunEvent, RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import { refusedBy, type Subjects } from './contract-host.ts';
import { call, message, run, session } from './support.ts';
import { encrypted, signed } from '../../support/replays.ts';

/** `Recorder`: what is committed, drafts and events. */
export function recorderContract(subjects: Subjects): void {
  it('keeps a batch across a restart', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: message('s', 1, 'hello', { origin: 'person' }) },
    ]);
    const again = await host.reopen();
    assert.deepEqual(await again.transcripts.messages({ sessionId: 's' }), [
      message('s', 1, 'hello', { origin: 'person' }),
    ]);
  });

  it('keeps nothing of a batch of which one write is refused, and says so with code store', async () => {
    const { store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    await assert.rejects(
      store.recorder.commit([
        { kind: 'message', message: message('s', 1) },
        { kind: 'message', message: message('s', 3) },
      ]),
      refusedBy('store'),
    );
    assert.deepEqual(await store.transcripts.messages({ sessionId: 's' }), []);
    assert.equal((await store.transcripts.session('s'))?.messageCount, 0);
  });

  it('keeps batches in the order of the calls, and a bad one does not fail its neighbours', async () => {
    const { store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const outcomes = await Promise.allSettled([
      store.recorder.commit([{ kind: 'message', message: message('s', 1) }]),
      store.recorder.commit([{ kind: 'message', message: message('s', 7) }]),
      store.recorder.commit([{ kind: 'message', message: message('s', 2) }]),
      store.recorder.commit([{ kind: 'message', message: message('s', 3) }]),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    const stored = await store.transcripts.messages({ sessionId: 's' });
    assert.deepEqual(
      stored.map((one) => one.seq),
      [1, 2, 3],
    );
  });

  it('a read sees every write that was given before it', async () => {
    const { store } = subjects();
    void store.recorder.commit([{ kind: 'session', session: session('s') }]);
    void store.recorder.commit([{ kind: 'message', message: message('s', 1) }]);
    assert.equal((await store.transcripts.messages({ sessionId: 's' })).length, 1);
  });

  it('replaces a message with the same id and seq, and refuses another seq for it', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: message('s', 1, 'before') },
    ]);
    await store.recorder.commit([{ kind: 'message', message: message('s', 1, 'after') }]);
    const refused = store.recorder.commit([
      { kind: 'message', message: { ...message('s', 2), id: 'm-1' } },
    ]);
    await assert.rejects(refused, refusedBy('store'));
    assert.deepEqual(await store.transcripts.messages({ sessionId: 's' }), [
      message('s', 1, 'after'),
    ]);
    assert.equal((await store.transcripts.session('s'))?.messageCount, 1);
  });

  it('keeps parts byte for byte: signatures, lone surrogates, NUL, deep input (B5)', async () => {
    const { host, store } = subjects();
    const parts = [
      { type: 'reasoning', text: 'because \ud800', replay: signed('c2lnbmF0dXJl==') },
      { type: 'reasoning', text: '', replay: encrypted('ZW5jcnlwdGVk') },
      { type: 'text', text: 'nul \0 and 𝒳 and \udfff' },
      { type: 'tool_call', id: 'c', name: 't', input: { a: [1, { b: null }], __proto: 'x' } },
      { type: 'binary', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
      { type: 'image_url', url: 'https://example.org/a.png' },
      { type: 'finish', reason: 'tool_use', detail: 'x' },
    ] as const;
    const whole = message('s', 1, parts, {
      role: 'assistant',
      model: 'm',
      runId: 'r',
      usage: {
        inputTokens: 1,
        outputTokens: 2,
        cacheReadTokens: 3,
        cacheWriteTokens: 4,
        billed: 0.5,
      },
    });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: whole },
    ]);
    const again = await host.reopen();
    assert.deepEqual(await again.transcripts.messages({ sessionId: 's' }), [whole]);
  });

  it('B3: a draft outlives a restart, is replaced by a newer one, and goes with its message', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    store.recorder.draft('s', 'm-1', [{ type: 'text', text: 'Hel' }]);
    store.recorder.draft('s', 'm-1', [{ type: 'text', text: 'Hello' }]);
    await store.recorder.flush();
    const again = await host.reopen();
    assert.deepEqual(await again.transcripts.draftOf('s'), {
      messageId: 'm-1',
      parts: [{ type: 'text', text: 'Hello' }],
    });
    again.recorder.draft('s', 'm-1', [{ type: 'text', text: 'Hello there' }]);
    await again.recorder.commit([
      { kind: 'message', message: message('s', 1, 'Hello there!', { role: 'assistant' }) },
    ]);
    await again.recorder.flush();
    assert.equal(await again.transcripts.draftOf('s'), undefined);
  });

  it('B3: a draft that is given up is removed', async () => {
    const { store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    store.recorder.draft('s', 'm-1', 'text');
    await store.recorder.flush();
    store.recorder.draft('s', 'm-1', null);
    await store.recorder.flush();
    assert.equal(await store.transcripts.draftOf('s'), undefined);
  });

  it('C11: keeps events in order, without the transient ones, with the content they name', async () => {
    const { host, store } = subjects();
    const result: ToolResultPart = {
      type: 'tool_result',
      callId: 'c1',
      name: 'read',
      state: 'done',
      content: [{ type: 'text', text: 'x'.repeat(1000) }],
    };
    const added = message('s', 1, 'hello');
    const unstored = message('s', 2, 'never stored');
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: added },
      { kind: 'run', run: run('r', 's') },
      {
        kind: 'ledger',
        entry: call('r', 's', 'c1', { state: 'done', result: result as unknown as JsonObject }),
      },
    ]);
    const events = [
      event(1, { type: 'agent_run.started', model: 'm', resumed: false }),
      event(2, { type: 'message.added', message: added }),
      event(4, { type: 'tool.finished', callId: 'c1', name: 'read', result, replayed: true }),
      event(5, { type: 'message.added', message: unstored }),
      event(6, { type: 'warning', message: 'careful' }),
    ];
    store.recorder.events(events.slice(0, 2));
    store.recorder.events([
      event(3, { type: 'message.delta', messageId: 'm', index: 0, kind: 'text', text: 'x' }),
    ]);
    store.recorder.events(events.slice(2));
    await store.recorder.flush();
    assert.deepEqual(await store.transcripts.events('s'), events);
    assert.deepEqual(await store.transcripts.events('s', 4), events.slice(3));
    assert.deepEqual(await store.transcripts.events('s', 1, 2), events.slice(1, 3));
    const again = await host.reopen();
    again.recorder.events([event(1, { type: 'warning', message: 'after the restart' })]);
    await again.recorder.flush();
    const all = await again.transcripts.events('s');
    assert.deepEqual(all.slice(0, 5), events);
    assert.equal(all.length, 6);
    assert.deepEqual(await again.transcripts.events('s', undefined, 1), all.slice(5));
    assert.deepEqual(await again.transcripts.events('s', 0), all.slice(5));
  });
}

function event(seq: number, body: RunEventBody): RunEvent {
  return {
    ...body,
    seq,
    sessionId: 's',
    runId: 'r',
    at: 5000 + seq,
    category: categoryOf(body.type),
  };
}

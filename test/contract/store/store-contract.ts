import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { RunEvent, RunEventBody } from '../../../src/domain/event.ts';
import type { Checkpoint } from '../../../src/domain/run.ts';
import type { Compaction, QueuedMessage } from '../../../src/domain/session.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import type { UsageRecord } from '../../../src/core/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import { call, message, run, session } from './support.ts';

/** What the contract needs of a store; `reopen` closes it and opens it again on the same data. */
export type StoreSubject = Pick<
  Store,
  'recorder' | 'transcripts' | 'runs' | 'leases' | 'usage' | 'blobs' | 'ids' | 'values'
>;

export interface ContractHost {
  readonly store: StoreSubject;
  reopen(): Promise<StoreSubject>;
  close(): Promise<void>;
}

/** Every implementation of the store's ports passes these. */
export function storeContract(name: string, start: () => Promise<ContractHost>): void {
  describe(`contract of the store's ports: ${name}`, () => {
    let host: ContractHost;
    let store: StoreSubject;
    beforeEach(async () => {
      host = await start();
      store = host.store;
    });
    afterEach(() => host.close());

    recorderContract(() => ({ host, store }));
    sessionContract(() => ({ host, store }));
    runContract(() => ({ host, store }));
    contentContract(() => ({ host, store }));
  });
}

type Subjects = () => { readonly host: ContractHost; readonly store: StoreSubject };

const refusedBy = (code: string) => (error: unknown) =>
  error instanceof BelayError && error.code === code;

function recorderContract(subjects: Subjects): void {
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
      { type: 'reasoning', text: 'because \ud800', signature: 'c2lnbmF0dXJl==' },
      { type: 'reasoning', text: '', redacted: 'ZW5jcnlwdGVk' },
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
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
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
      { kind: 'ledger', entry: call('r', 's', 'c1', { state: 'done', result: result as unknown as JsonObject }) },
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
  return { ...body, seq, sessionId: 's', runId: 'r', at: 5000 + seq };
}

function sessionContract(subjects: Subjects): void {
  it('B17: keeps the record of a session; the counts are its own', async () => {
    const { host, store } = subjects();
    const given = session('child', {
      parentId: 'parent',
      type: 'task',
      title: 'A task',
      model: 'small',
      summaryId: 'c1',
      messageCount: 99,
      inputTokens: 99,
      cost: 99,
      createdAt: 5,
      updatedAt: 6,
    });
    await store.recorder.commit([
      { kind: 'session', session: session('parent') },
      { kind: 'session', session: given },
      { kind: 'message', message: message('child', 1) },
    ]);
    const again = await host.reopen();
    assert.deepEqual(await again.transcripts.session('child'), {
      ...given,
      messageCount: 1,
      inputTokens: 0,
      cost: 0,
      updatedAt: 1001,
    });
    assert.equal(await again.transcripts.session('nobody'), undefined);
  });

  it('lists the session last written to first, whatever the clock says', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('a', { createdAt: 3, updatedAt: 3 }) },
      { kind: 'session', session: session('b', { createdAt: 2, updatedAt: 2 }) },
      { kind: 'session', session: session('c', { createdAt: 1, updatedAt: 1 }) },
    ]);
    await store.recorder.commit([
      { kind: 'message', message: message('a', 1, 'x', { createdAt: 0 }) },
    ]);
    const ids = (await store.transcripts.sessions()).map((one) => one.id);
    assert.deepEqual(ids, ['a', 'c', 'b']);
  });

  it('B12: adds usage to the session, its cost also to all its ancestors', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('top') },
      { kind: 'session', session: session('mid', { parentId: 'top', type: 'task' }) },
      { kind: 'session', session: session('low', { parentId: 'mid', type: 'task' }) },
      { kind: 'usage', usage: spent('top', 0.25) },
      { kind: 'usage', usage: spent('low', 0.5) },
    ]);
    await store.recorder.commit([{ kind: 'usage', usage: spent('mid', undefined) }]);
    const record = async (id: string): Promise<unknown> => {
      const found = await store.transcripts.session(id);
      return [found?.inputTokens, found?.outputTokens, found?.cost, found?.costUnknown];
    };
    assert.deepEqual(await record('top'), [111, 5, 0.75, true]);
    assert.deepEqual(await record('mid'), [111, 5, 0.5, true]);
    assert.deepEqual(await record('low'), [111, 5, 0.5, undefined]);
    const total = await store.usage.total(0);
    assert.deepEqual(total, { tokens: 348, cost: 0.75, calls: 3 });
    assert.deepEqual(await store.usage.total(7001), { tokens: 0, cost: 0, calls: 0 });
    assert.deepEqual(await store.usage.records('mid'), [spent('mid', undefined)]);
  });

  it('A2: deleting a session takes everything of it and its children, but not what was spent', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('top') },
      { kind: 'session', session: session('low', { parentId: 'top', type: 'task' }) },
      { kind: 'message', message: message('low', 1, 'findable') },
      { kind: 'run', run: run('r', 'low') },
      { kind: 'ledger', entry: call('r', 'low', 'c') },
      { kind: 'usage', usage: spent('low', 1) },
      { kind: 'value', sessionId: 'low', key: 'k', value: 1 },
    ]);
    await store.blobs.putResult('low', 'o', 'text');
    await store.transcripts.deleteSession('top');
    assert.deepEqual(await store.transcripts.sessions(), []);
    assert.deepEqual(await store.transcripts.search('findable', 5), []);
    assert.equal(await store.runs.run('r'), undefined);
    assert.deepEqual(await store.runs.ledger({ sessionId: 'low' }), []);
    assert.equal(await store.blobs.result('low', 'o', 0, 1), undefined);
    assert.equal(await store.values.get('k', 'low'), undefined);
    assert.equal((await store.usage.total(0)).cost, 1);
  });

  it('refuses a session with the id of another parent’s child', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('a') },
      { kind: 'session', session: session('b') },
      { kind: 'session', session: session('call', { parentId: 'a', type: 'task' }) },
    ]);
    const refused = store.recorder.commit([
      { kind: 'session', session: session('call', { parentId: 'b', type: 'task' }) },
    ]);
    await assert.rejects(refused, refusedBy('store'));
  });

  it('pages through messages, the newest ones first, each page ascending', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      ...Array.from({ length: 10 }, (_, index) => ({
        kind: 'message' as const,
        message: message('s', index + 1),
      })),
    ]);
    const seqs = async (query: object): Promise<number[]> =>
      (await store.transcripts.messages({ sessionId: 's', ...query })).map((one) => one.seq);
    assert.deepEqual(await seqs({ limit: 3 }), [8, 9, 10]);
    assert.deepEqual(await seqs({ limit: 3, beforeSeq: 8 }), [5, 6, 7]);
    assert.deepEqual(await seqs({ afterSeq: 8 }), [9, 10]);
    assert.deepEqual(await seqs({ afterSeq: 3, beforeSeq: 6 }), [4, 5]);
    assert.deepEqual(await seqs({ beforeSeq: 1 }), []);
  });

  it('finds words of titles and texts, also unfinished ones, and follows every change', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s', { title: 'Über den Parser' }) },
      { kind: 'message', message: message('s', 1, 'the quick "brown" fox') },
      { kind: 'message', message: message('s', 2, 'nothing here') },
    ]);
    const found = async (query: string): Promise<number[]> =>
      (await store.transcripts.search(query, 10)).map((one) => one.messageSeq);
    assert.deepEqual(await found('uber'), [0]);
    assert.deepEqual(await found('bro qui'), [1]);
    assert.deepEqual(await found('"fox" OR -nothing*'), []);
    assert.deepEqual(await found('  '), []);
    await store.recorder.commit([
      { kind: 'session', session: session('s', { title: 'Renamed' }) },
      { kind: 'message', message: message('s', 2, 'a fox too') },
    ]);
    assert.deepEqual(await found('uber'), []);
    assert.deepEqual(await found('renamed'), [0]);
    assert.deepEqual((await found('fox')).toSorted(), [1, 2]);
    assert.equal((await store.transcripts.search('fox', 1)).length, 1);
    const [first] = await store.transcripts.search('quick', 1);
    assert.match(first?.excerpt ?? '', /quick/);
  });

  it('C3: keeps compactions, undone ones too', async () => {
    const { store } = subjects();
    const compaction: Compaction = {
      id: 'c1',
      sessionId: 's',
      throughSeq: 4,
      summary: 'what was \ud800 said',
      strategy: 'summarize',
      reason: '70 %',
      tokensBefore: 10,
      tokensAfter: 2,
      undone: false,
      createdAt: 1,
    };
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'compaction', compaction },
      { kind: 'compaction', compaction: { ...compaction, id: 'c2', strategy: 'prune' } },
    ]);
    await store.recorder.commit([{ kind: 'compaction', compaction: { ...compaction, undone: true } }]);
    assert.deepEqual(await store.transcripts.compactions('s'), [
      { ...compaction, undone: true },
      { ...compaction, id: 'c2', strategy: 'prune' },
    ]);
  });

  it('C7: keeps queued messages in their order; they can be edited, moved and removed', async () => {
    const { host, store } = subjects();
    const queued = (id: string, position: number, text = id): QueuedMessage => ({
      id,
      sessionId: 's',
      position,
      text,
      attachments: [{ id: 'a', name: 'a.txt', mediaType: 'text/plain', size: 1, data: 'YQ==' }],
      mode: 'queue',
      createdAt: 1,
    });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'queued', queued: queued('q1', 1) },
      { kind: 'queued', queued: queued('q2', 2) },
      { kind: 'queued', queued: queued('q3', 3) },
    ]);
    await store.recorder.commit([
      { kind: 'queued', queued: queued('q3', 0, 'edited \ud800') },
      { kind: 'dequeued', id: 'q1' },
    ]);
    const again = await host.reopen();
    const expected = [queued('q3', 0, 'edited \ud800'), queued('q2', 2)];
    assert.deepEqual(await again.runs.queued('s'), expected);
    assert.deepEqual(await again.runs.queued(), expected);
    assert.deepEqual(await again.runs.queued('other'), []);
  });
}

function spent(sessionId: string, cost: number | undefined): UsageRecord {
  return {
    sessionId,
    runId: 'r',
    model: 'm',
    purpose: 'turn',
    usage: { inputTokens: 1, outputTokens: 5, cacheReadTokens: 10, cacheWriteTokens: 100 },
    ...(cost === undefined ? {} : { cost }),
    at: 7000,
  };
}

function runContract(subjects: Subjects): void {
  it('keeps runs and finds them by session and state', async () => {
    const { host, store } = subjects();
    const ended = run('r1', 's', {
      state: 'failed',
      end: {
        reason: 'failure',
        state: 'failed',
        canContinue: true,
        failure: { code: 'network', message: 'x' },
      },
      endedAt: 9,
      cancelRequested: true,
      resumeAvailable: true,
    });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'session', session: session('t') },
      { kind: 'run', run: run('r1', 's') },
      { kind: 'run', run: run('r2', 't') },
    ]);
    await store.recorder.commit([{ kind: 'run', run: ended }]);
    const again = await host.reopen();
    assert.deepEqual(await again.runs.run('r1'), ended);
    assert.deepEqual(await again.runs.runs({}), [ended, run('r2', 't')]);
    assert.deepEqual(await again.runs.runs({ sessionId: 't' }), [run('r2', 't')]);
    assert.deepEqual(await again.runs.runs({ states: ['failed', 'queued'] }), [ended]);
    assert.deepEqual(await again.runs.runs({ states: [] }), []);
    await again.runs.heartbeat(['r2', 'nobody'], 77);
    assert.equal((await again.runs.run('r2'))?.heartbeatAt, 77);
  });

  it('C8: gives the latest checkpoint, whole', async () => {
    const { host, store } = subjects();
    const checkpoint = (number: number): Checkpoint => ({
      runId: 'r',
      sessionId: 's',
      number,
      kind: number === 30 ? 'final' : 'tool_result',
      iteration: number,
      messageCursor: 2 * number,
      messageCount: 2 * number,
      promptHash: 'h',
      finishedCallIds: ['c1', 'c2'],
      policyStates: { thrash: { level: 1 } },
      loop: { activeMs: 12, forceTool: 'ask_human' },
    });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'run', run: run('r', 's') },
    ]);
    for (let number = 1; number <= 30; number += 1) {
      await store.recorder.commit([{ kind: 'checkpoint', checkpoint: checkpoint(number) }]);
    }
    const again = await host.reopen();
    assert.deepEqual(await again.runs.latestCheckpoint('r'), checkpoint(30));
    assert.equal(await again.runs.latestCheckpoint('nobody'), undefined);
  });

  it('C9: keeps the ledger; a call that is complete never becomes unfinished again', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'run', run: run('r', 's') },
      { kind: 'ledger', entry: call('r', 's', 'c1', { state: 'pending' }) },
      { kind: 'ledger', entry: call('r', 's', 'c2', { state: 'unknown', idempotent: true }) },
    ]);
    const done = call('r', 's', 'c1', {
      state: 'done',
      completedAt: 3,
      result: null,
      attempts: 2,
      process: { pid: 1, birth: 'b' },
    });
    await store.recorder.commit([{ kind: 'ledger', entry: done }]);
    for (const state of ['pending', 'approved', 'running', 'unknown'] as const) {
      await assert.rejects(
        store.recorder.commit([{ kind: 'ledger', entry: { ...done, state } }]),
        refusedBy('store'),
      );
    }
    // Unknown is not complete: a person may let it run again.
    const again = call('r', 's', 'c2', { state: 'done', completedAt: 4, idempotent: true });
    await store.recorder.commit([{ kind: 'ledger', entry: again }]);
    const other = await host.reopen();
    assert.deepEqual(await other.runs.ledgerEntry('r', 'c1'), done);
    assert.equal(await other.runs.ledgerEntry('r', 'nobody'), undefined);
    assert.deepEqual(await other.runs.ledger({ runId: 'r' }), [done, again]);
    assert.deepEqual(await other.runs.ledger({ sessionId: 's', states: ['unknown'] }), []);
  });

  it('C9: a call that was running when everything ended is unknown afterwards', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'run', run: run('r', 's') },
      { kind: 'ledger', entry: call('r', 's', 'c1') },
      { kind: 'ledger', entry: call('r', 's', 'c2', { state: 'approved' }) },
    ]);
    const again = await host.reopen();
    const states = (await again.runs.ledger({ runId: 'r' })).map((entry) => entry.state);
    assert.deepEqual(states, ['unknown', 'approved']);
  });

  it('C8: tells runs that nobody owns, not those that this process holds', async () => {
    const { store } = subjects();
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'session', session: session('t') },
      { kind: 'run', run: run('held', 's', { heartbeatAt: Date.now() }) },
      { kind: 'run', run: run('left', 't', { heartbeatAt: Date.now() + 86_400_000 }) },
      { kind: 'run', run: run('over', 't', { state: 'completed' }) },
    ]);
    assert.equal((await store.leases.claim('s')).owned, true);
    const ids = async (age: number): Promise<string[]> =>
      (await store.runs.abandoned(age)).map((one) => one.id);
    assert.deepEqual(await ids(0), ['left']);
    assert.deepEqual(await ids(60_000), ['left'], 'a clock that jumped hides no run');
    assert.deepEqual(await ids(10 * 86_400_000), []);
  });

  it('one owner a session: claimed, claimed again by the same, released', async () => {
    const { store } = subjects();
    assert.equal(await store.leases.owner('s'), undefined);
    const first = await store.leases.claim('s');
    assert.equal(first.owned, true);
    assert.equal((await store.leases.claim('s')).owned, true);
    await store.leases.renew();
    const owner = await store.leases.owner('s');
    assert.deepEqual([owner?.self, owner?.alive, owner?.processId], [true, true, process.pid]);
    await store.leases.release('s');
    assert.equal(await store.leases.owner('s'), undefined);
  });
}

function contentContract(subjects: Subjects): void {
  it('E3: reads any part of a big result, exactly, and tells its size', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const text = `${'a😀\0'.repeat(50_000)}\ud83d`;
    await store.blobs.putResult('s', 'o1', text);
    const again = await host.reopen();
    const pages = [
      [0, 10],
      [65_534, 5],
      [65_536, 70_000],
      [text.length - 2, 100],
      [0, text.length],
      [text.length + 5, 10],
      [7, 0],
    ] as const;
    for (const [offset, length] of pages) {
      const page = await again.blobs.result('s', 'o1', offset, length);
      assert.equal(page?.total, text.length);
      assert.ok(page.text === text.slice(offset, offset + length), `${offset} + ${length}`);
    }
    assert.equal(await again.blobs.result('s', 'other', 0, 1), undefined);
    await again.blobs.putResult('s', 'o1', '');
    assert.deepEqual(await again.blobs.result('s', 'o1', 0, 1), { text: '', total: 0 });
  });

  it('A6: keeps attachments', async () => {
    const { host, store } = subjects();
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    const pasted = { id: 'a1', name: 'x.png', mediaType: 'image/png', size: 3, data: 'AAAA' };
    const picked = { id: 'a2', name: 'y.md', mediaType: 'text/plain', size: 9, path: '/w/y.md' };
    await store.blobs.putAttachment('s', pasted);
    await store.blobs.putAttachment('s', picked);
    const again = await host.reopen();
    assert.deepEqual(await again.blobs.attachment('s', 'a1'), pasted);
    assert.deepEqual(await again.blobs.attachment('s', 'a2'), picked);
    assert.equal(await again.blobs.attachment('t', 'a2'), undefined);
  });

  it('keeps values, of the workspace and of sessions, alone or with other records', async () => {
    const { host, store } = subjects();
    await store.values.set('panel.draft', { text: 'Hel', at: [1] });
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'value', sessionId: 's', key: 'journal', value: 'x' },
      { kind: 'value', key: 'panel.width', value: 300 },
      { kind: 'value', key: 'gone', value: 1 },
    ]);
    await store.values.set('gone', null);
    const again = await host.reopen();
    assert.deepEqual(await again.values.get('panel.draft'), { text: 'Hel', at: [1] });
    assert.equal(await again.values.get('gone'), undefined);
    assert.equal(await again.values.get('journal'), undefined);
    assert.equal(await again.values.get('journal', 's'), 'x');
    assert.deepEqual(await again.values.list('panel.'), [
      { key: 'panel.draft', value: { text: 'Hel', at: [1] } },
      { key: 'panel.width', value: 300 },
    ]);
    await assert.rejects(again.values.set('big', 'x'.repeat(2_000_000)), refusedBy('store'));
  });

  it('ids never repeat, across restarts either', async () => {
    const { host, store } = subjects();
    const kinds = ['session', 'run', 'message', 'call'] as const;
    const ids = kinds.flatMap((kind) => [store.ids.next(kind), store.ids.next(kind)]);
    const again = await host.reopen();
    ids.push(...kinds.map((kind) => again.ids.next(kind)));
    assert.equal(new Set(ids).size, ids.length);
    assert.match(ids[0] ?? '', /^s\d+-\d+$/);
  });
}

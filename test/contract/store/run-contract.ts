import assert from 'node:assert/strict';
import type { Checkpoint } from '../../../src/domain/run.ts';
import { refusedBy, type Subjects } from './contract-host.ts';
import { call, run, session } from './support.ts';

/** `RunRecords` and `Leases`. */
export function runContract(subjects: Subjects): void {
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

import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { ToolResultPart } from '../../../src/domain/message.ts';
import type { LedgerState } from '../../../src/domain/run.ts';
import { call } from '../../contract/store/support.ts';
import { Rig, textOf, until, untilAborted } from './rig.ts';

describe('ledger of tool calls', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.open();
  });

  const result = (text: string, state: ToolResultPart['state'] = 'done'): ToolResultPart => ({
    type: 'tool_result',
    callId: 'call-1',
    name: 'act',
    state,
    content: [{ type: 'text', text }],
  });

  /** Puts a row into the store, as an earlier process would have left it. */
  async function leave(
    state: LedgerState,
    more: { idempotent?: boolean; result?: ToolResultPart } = {},
  ): Promise<void> {
    const stored =
      more.result === undefined ? {} : { result: structuredClone(more.result) as never };
    await rig.store.recorder.commit([
      {
        kind: 'ledger',
        entry: call(rig.run, rig.session, 'call-1', {
          name: 'act',
          state,
          idempotent: more.idempotent ?? false,
          ...stored,
        }),
      },
    ]);
  }

  it('C9: replays a finished call without asking or running it', async () => {
    const act = rig.tool('act', () => 'done it', { sideEffects: true });
    await rig.call('act');
    await rig.restart();
    const again = await rig.call('act');
    assert.equal(again.replayed, true);
    assert.equal(textOf(again), 'done it');
    assert.equal(act.runs, 1);
    assert.equal(rig.questions.length, 1);
  });

  for (const state of ['done', 'failed', 'denied', 'canceled', 'unknown'] as const) {
    it(`C9: replays a call that ended as ${state}`, async () => {
      const act = rig.tool('act', () => 'ran', { sideEffects: true });
      await leave(state, { result: result('as it was', state) });
      const outcome = await rig.call('act');
      assert.equal(outcome.result.state, state);
      assert.equal(textOf(outcome), 'as it was');
      assert.equal(outcome.replayed, true);
      assert.equal(act.runs, 0);
    });
  }

  for (const state of ['running', 'unknown'] as const) {
    it(`C9: never repeats a side effect that was left ${state}; its outcome is unknown`, async () => {
      const act = rig.tool('act', () => 'ran', { sideEffects: true });
      await leave(state);
      const outcome = await rig.call('act');
      assert.equal(outcome.result.state, 'unknown');
      assert.equal(outcome.failure?.code, 'resume_unsafe');
      assert.match(textOf(outcome), /Check the present state before you do it again/u);
      assert.equal(act.runs, 0);
      assert.equal(rig.questions.length, 0);
      // A person can still decide: nothing was written over the row.
      assert.equal((await rig.row())?.state, state);
    });

    it(`C9: runs a read-only call that was left ${state} again`, async () => {
      const act = rig.tool('act', () => 'ran');
      await leave(state, { idempotent: true });
      assert.equal(textOf(await rig.call('act')), 'ran');
      assert.equal(act.runs, 1);
    });
  }

  it('C9: a read-only call that Belay ended in twice is not begun a third time by itself', async () => {
    let leaveOff: () => void = () => undefined;
    const act = rig.tool('act', () => new Promise<string>(() => leaveOff()));
    for (const runs of [1, 2]) {
      const began = new Promise<void>((resolve) => (leaveOff = resolve));
      void rig.call('act'); // never comes back: its process is killed
      await began;
      assert.equal(act.runs, runs);
      const row = await rig.row();
      assert.deepEqual([row?.state, row?.attempts], ['running', runs]);
      await rig.restart();
    }
    const outcome = await rig.call('act');
    assert.equal(act.runs, 2);
    assert.equal(outcome.failure?.code, 'resume_unsafe');
    assert.match(textOf(outcome), /Belay ended 2 times while it was at work/u);
    assert.equal(textOf(await rig.call('act')), textOf(outcome), 'and it stays so');
  });

  it('C9: closing the window in good order during a read-only call is no beginning that counts', async () => {
    const act = rig.tool('act', async (_, { signal }) => untilAborted(signal));
    for (const runs of [1, 2, 3]) {
      const stop = new AbortController();
      const call = rig.call('act', {}, { signal: stop.signal });
      await until(() => act.runs === runs);
      stop.abort('shutdown');
      await call;
      assert.equal((await rig.row())?.attempts, 0);
      await rig.restart();
    }
  });

  for (const state of ['pending', 'approved'] as const) {
    it(`C9: a side effect that was ${state} has not begun: it is asked about and run`, async () => {
      const act = rig.tool('act', () => 'ran', { sideEffects: true });
      await leave(state);
      assert.equal(textOf(await rig.call('act')), 'ran');
      assert.equal(act.runs, 1);
      assert.equal(rig.questions.length, 1);
    });
  }

  it('C9: "running" is on disk before a side effect begins', async () => {
    let seen: LedgerState | undefined;
    rig.tool(
      'act',
      async () => {
        seen = (await rig.store.runs.ledgerEntry(rig.run, 'call-1'))?.state;
        return 'ran';
      },
      { sideEffects: true },
    );
    await rig.call('act');
    assert.equal(seen, 'running');
    const row = await rig.row();
    assert.equal(row?.state, 'done');
    assert.deepEqual((row.result as unknown as ToolResultPart).content, [
      { type: 'text', text: 'ran' },
    ]);
    assert.equal(row.attempts, 1);
    assert.ok(row.completedAt !== undefined && row.startedAt !== undefined);
  });

  it('C9: a side effect whose record cannot be written is not begun', async () => {
    const act = rig.tool('act', () => 'ran', { sideEffects: true });
    rig.runs.begin(rig.run);
    rig.commit = async () => {
      throw new BelayError({ code: 'store', message: 'The disk is full.' });
    };
    const outcome = await rig.call('act');
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure?.code, 'store');
    assert.match(textOf(outcome), /was not started/u);
    assert.equal(act.runs, 0);
  });

  it('durability 6: the process group of a call is on disk when `recordProcess` resolves', async () => {
    let row: unknown;
    rig.tool(
      'act',
      async (_, context) => {
        await context.recordProcess({ pid: 4711, birth: 'then' });
        row = await rig.store.runs.ledgerEntry(rig.run, 'call-1');
        return 'ran';
      },
      { sideEffects: true },
    );
    await rig.call('act');
    assert.deepEqual((row as { process: unknown }).process, { pid: 4711, birth: 'then' });
    assert.equal((row as { state: unknown }).state, 'running');
    assert.deepEqual((await rig.row())?.process, { pid: 4711, birth: 'then' });
  });

  it('leaves a call open that was asked about when the run paused', async () => {
    const act = rig.tool('act', () => 'ran', { sideEffects: true });
    rig.answers.push({ reason: 'wait' });
    const waiting = rig.call('act');
    await until(() => rig.questions.length === 1);
    rig.abort.abort('shutdown');
    assert.equal((await waiting).result.state, 'canceled');
    assert.equal((await rig.row())?.state, 'pending');
    await rig.restart();
    assert.equal(
      textOf(await rig.call('act', {}, { signal: new AbortController().signal })),
      'ran',
    );
    assert.equal(act.runs, 1);
  });

  it('records a call that was canceled by the person, so that it stays canceled', async () => {
    rig.tool('act', () => 'ran', { sideEffects: true });
    rig.answers.push({ reason: 'wait' });
    const waiting = rig.call('act');
    await until(() => rig.questions.length === 1);
    rig.abort.abort('canceled');
    await waiting;
    assert.equal((await rig.row())?.state, 'canceled');
  });

  it('C6: records what a side effect that was stopped by a pause really did', async () => {
    const act = rig.tool('act', async (_, { signal }) => untilAborted(signal), {
      sideEffects: true,
    });
    const running = rig.call('act');
    await until(() => act.runs === 1);
    rig.abort.abort('shutdown');
    await running;
    assert.equal((await rig.row())?.state, 'canceled');
  });

  it('asks the store once a run, and not at all for a run that has begun here', async () => {
    let reads = 0;
    rig.readLedger = (filter) => {
      reads += 1;
      return rig.store.runs.ledger(filter);
    };
    rig.tool('look', () => 'seen');
    await Promise.all([rig.call('look', {}, { id: 'a' }), rig.call('look', {}, { id: 'b' })]);
    await rig.call('look', {}, { id: 'c' });
    assert.equal(reads, 1);
    rig.runs.end(rig.run);
    rig.runs.begin(rig.run);
    await rig.call('look', {}, { id: 'd' });
    assert.equal(reads, 1);
    rig.runs.end(rig.run);
    assert.equal(rig.runs.size, 0);
  });

  it('tells how long a call worked, without the time it waited for the human', async () => {
    rig.tool('ask', async (_, { emit }) => {
      await rig.clock.sleep(300);
      emit({ type: 'agent_run.waiting', for: 'question', questionId: 'q' });
      await rig.clock.sleep(60_000);
      emit({ type: 'agent_run.answered', questionId: 'q' });
      await rig.clock.sleep(200);
      return 'answered';
    });
    const asking = rig.call('ask');
    for (const wait of [300, 60_000, 200]) {
      await until(() => rig.clock.next === wait);
      await rig.clock.advance(wait);
    }
    assert.equal((await asking).result.elapsedMs, 500);
    assert.ok(rig.eventTypes().includes('agent_run.waiting'), 'the waiting was not passed on');
  });
});

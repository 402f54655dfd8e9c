import assert from 'node:assert/strict';
import { MOST_FOLLOWUPS } from '../../../src/domain/session/followup.ts';
import { Connection } from '../../../src/store/database/connection.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import {
  addFollowUp,
  changeFollowUp,
  fireFollowUp,
  readFollowUps,
  removeFollowUp,
} from '../../../src/store/engine/followups.ts';
import { saveCheckpoint, saveRun } from '../../../src/store/engine/runs/run-writes.ts';
import {
  readCompactions,
  readQueued,
  readSession,
} from '../../../src/store/engine/sessions/session-reads.ts';
import {
  saveCompaction,
  saveMessage,
  saveQueued,
  saveSession,
} from '../../../src/store/engine/sessions/session-writes.ts';
import { listSnapshots, saveSnapshot, type Snapshot } from '../../../src/store/engine/snapshots.ts';
import type { Compaction } from '../../../src/domain/session/session.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { refusedBy } from '../../contract/store/contract-host.ts';
import { message, run, session } from '../../contract/store/support.ts';

describe('store: records of a session', () => {
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection(loadSqlite(), ':memory:', { busyTimeoutMs: 0 });
    migrate(connection);
    saveSession(connection, session('s'));
  });
  afterEach(() => connection.close());

  const followUp = (id: string, dueAt: number) => ({
    id,
    sessionId: 's',
    prompt: `look at ${id}`,
    dueAt,
    createdAt: 1000,
  });
  const waiting = (): string[] => readFollowUps(connection).map(({ id }) => id);

  it('a session has the persona of its last run, or none', () => {
    const persona = (): string | undefined => readSession(connection, 's')?.persona;
    saveRun(connection, run('r1', 's', { persona: 'reviewer' }));
    assert.equal(persona(), 'reviewer');
    saveRun(connection, run('r2', 's'));
    assert.equal(persona(), undefined);
  });

  it('the five newest checkpoints of a run are kept', () => {
    saveRun(connection, run('r', 's'));
    const checkpoint = {
      runId: 'r',
      sessionId: 's',
      kind: 'turn',
      iteration: 1,
      messageCursor: 0,
      messageCount: 0,
      promptHash: '',
      loop: {},
      finishedCallIds: [],
      policyStates: {},
    } as unknown as Omit<Parameters<typeof saveCheckpoint>[1], 'number'>;
    for (let number = 1; number <= 8; number += 1)
      saveCheckpoint(connection, { ...checkpoint, number });
    const kept = connection.all<{ checkpoint: number }>(
      'SELECT checkpoint FROM checkpoints ORDER BY 1',
    );
    assert.deepEqual(
      kept.map((one) => one.checkpoint),
      [4, 5, 6, 7, 8],
    );
  });

  it('fifty automatic snapshots are kept while they are small, fewer when they are big, and all that were saved', () => {
    const kept = (kind: Snapshot['kind']): number =>
      listSnapshots(connection, 's').filter((one) => one.kind === kind).length;
    let made = 0;
    const take = (kind: Snapshot['kind'], count: number): void => {
      for (let n = 0; n < count; n += 1)
        saveSnapshot(connection, {
          sessionId: 's',
          id: `snapshot ${(made += 1)}`,
          title: '',
          kind,
          at: 0,
        });
    };
    take('saved', 3);
    take('automatic', 52);
    assert.deepEqual([kept('saved'), kept('automatic')], [3, 50]);
    saveMessage(connection, message('s', 1, 'z'.repeat(7 * 2 ** 20)));
    take('automatic', 4);
    assert.deepEqual([kept('saved'), kept('automatic')], [3, 50], '28 MB');
    take('automatic', 2);
    assert.deepEqual([kept('saved'), kept('automatic')], [3, 5], 'more than 32 MB');
  });

  it('limits of a compaction are kept, each by itself', () => {
    const compaction: Compaction = {
      id: 'c',
      sessionId: 's',
      throughSeq: 1,
      summary: 'What was said',
      strategy: 'summarize',
      reason: 'full',
      tokensBefore: 9,
      tokensAfter: 1,
      undone: false,
      createdAt: 1,
    };
    for (const limits of [
      {},
      { requestLimit: 5 },
      { resultLimit: { throughSeq: 1, characters: 2 } },
      { requestLimit: 5, resultLimit: { throughSeq: 1, characters: 2 } },
    ]) {
      saveCompaction(connection, { ...compaction, ...limits });
      assert.deepEqual(readCompactions(connection, 's'), [{ ...compaction, ...limits }]);
    }
  });

  it('A15: follow-ups are kept in the order in which they are due; one is changed or removed alone', () => {
    addFollowUp(connection, followUp('later', 3000));
    addFollowUp(connection, followUp('soon', 2000));
    addFollowUp(connection, followUp('at once', 2000));
    assert.deepEqual(waiting(), ['soon', 'at once', 'later']);
    assert.deepEqual(readFollowUps(connection)[0], followUp('soon', 2000));
    assert.equal(changeFollowUp(connection, 'later', { prompt: 'now', dueAt: 1500 }), true);
    assert.deepEqual(readFollowUps(connection)[0], { ...followUp('later', 1500), prompt: 'now' });
    assert.equal(changeFollowUp(connection, 'nothing', { prompt: '', dueAt: 0 }), false);
    assert.equal(removeFollowUp(connection, 'soon'), true);
    assert.equal(removeFollowUp(connection, 'soon'), false);
    assert.deepEqual(waiting(), ['later', 'at once']);
  });

  it('A15: one that is due goes behind what is queued, once; not a millisecond earlier', () => {
    addFollowUp(connection, followUp('one', 2000));
    addFollowUp(connection, followUp('two', 2000));
    assert.equal(fireFollowUp(connection, 'one', 1999), false);
    assert.equal(fireFollowUp(connection, 'one', 2000), true);
    assert.equal(fireFollowUp(connection, 'one', 2000), false);
    assert.deepEqual(waiting(), ['two']);
    const [first] = readQueued(connection, 's');
    assert.deepEqual(first, {
      id: 'queued-one',
      sessionId: 's',
      position: 0,
      text: 'look at one',
      attachments: [],
      mode: 'queue',
      origin: 'followup',
      createdAt: 2000,
    });
    saveQueued(connection, { ...first, id: 'typed', position: 7 });
    fireFollowUp(connection, 'two', 9000);
    assert.deepEqual(
      readQueued(connection, 's').map(({ id, position }) => [id, position]),
      [
        ['queued-one', 0],
        ['typed', 7],
        ['queued-two', 8],
      ],
    );
  });

  it('A15: no more than the limit wait in a session, and none in one that is gone', () => {
    for (let n = 0; n < MOST_FOLLOWUPS; n += 1) addFollowUp(connection, followUp(`f${n}`, n));
    assert.throws(() => addFollowUp(connection, followUp('more', 1)), refusedBy('invalid'));
    removeFollowUp(connection, 'f0');
    addFollowUp(connection, followUp('more', 1));
    const gone = { ...followUp('lost', 1), sessionId: 'gone' };
    assert.throws(() => addFollowUp(connection, gone), refusedBy('invalid'));
  });
});

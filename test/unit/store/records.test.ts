import assert from 'node:assert/strict';
import path from 'node:path';
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
import { readQueued, readSession } from '../../../src/store/engine/sessions/session-reads.ts';
import { saveQueued, saveSession } from '../../../src/store/engine/sessions/session-writes.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { refusedBy } from '../../contract/store/contract-host.ts';
import { run, session, temporaryFolder } from '../../contract/store/support.ts';

describe('store: records of a session', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: Connection;
  beforeEach(() => {
    folder = temporaryFolder();
    connection = new Connection(loadSqlite(), path.join(folder.path, 'belay.db'), {
      busyTimeoutMs: 0,
    });
    migrate(connection);
    saveSession(connection, session('s'));
  });
  afterEach(() => {
    connection.close();
    folder.remove();
  });

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

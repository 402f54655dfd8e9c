import assert from 'node:assert/strict';
import { Connection } from '../../../src/store/database/connection.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import {
  abandonedRuns,
  enter,
  leave,
  markUnknown,
  takeEpochAbove,
} from '../../../src/store/engine/presence.ts';
import {
  claim,
  leaseOf,
  LeaseWatch,
  otherOwner,
  ownerOfSession,
  release,
  renew,
} from '../../../src/store/engine/runs/leases.ts';
import { readLedger } from '../../../src/store/engine/runs/run-reads.ts';
import { saveLedgerEntry, saveRun } from '../../../src/store/engine/runs/run-writes.ts';
import { importStep } from '../../../src/store/engine/sessions/import-records.ts';
import { saveSession } from '../../../src/store/engine/sessions/session-writes.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { ownIdentity, type Liveness } from '../../../src/store/process-identity.ts';
import { call, run, session } from '../../contract/store/support.ts';

describe('store: whose a session is', () => {
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection(loadSqlite(), ':memory:', { busyTimeoutMs: 0 });
    migrate(connection);
    saveSession(connection, session('s'));
    saveRun(connection, run('r', 's', { heartbeatAt: 1000 }));
    saveLedgerEntry(connection, call('r', 's', 'c'));
  });
  afterEach(() => connection.close());

  /** `meanwhile`: what happens while the system is asked. */
  const watching = (liveness: Liveness, meanwhile = (): void => undefined): LeaseWatch =>
    new LeaseWatch(() => {
      meanwhile();
      return Promise.resolve(liveness);
    });
  const held = (birth: string, renewals: number, bootId = 'another'): void => {
    connection.run(
      'INSERT OR REPLACE INTO leases (session_id, process_id, birth, boot_id, renewals, renewed_at) VALUES (?, ?, ?, ?, ?, 0)',
      's',
      process.pid,
      birth,
      bootId,
      renewals,
    );
  };
  const stateOfCall = (): string | undefined => readLedger(connection, {})[0]?.state;

  it('a running call of a dead owner is unknown, unless somebody takes the session at that moment', async () => {
    held('old', 3);
    for (const taken of [() => held('old', 4), () => held('new', 3)]) {
      held('old', 3);
      await markUnknown(connection, watching('dead', taken));
      assert.equal(stateOfCall(), 'running');
    }
    await markUnknown(connection, watching('alive'));
    assert.equal(stateOfCall(), 'running');
    await markUnknown(connection, watching('dead'));
    assert.equal(stateOfCall(), 'unknown');
  });

  it('a run is abandoned when its owner is dead and it has not been heard of for long enough, by either clock', async () => {
    held('old', 1);
    const abandoned = async (liveness: Liveness, at: number): Promise<number> =>
      (await abandonedRuns(connection, watching(liveness), 500, at)).length;
    assert.equal(await abandoned('alive', 9000), 0);
    assert.equal(await abandoned('dead', 1499), 0);
    assert.equal(await abandoned('dead', 501), 0);
    assert.equal(await abandoned('dead', 1500), 1);
    assert.equal(await abandoned('dead', 500), 1, 'the clock was put back');
    assert.equal(stateOfCall(), 'unknown');
  });

  it('two runs of a session ask the system once', async () => {
    held('old', 1);
    saveRun(connection, run('r2', 's', { heartbeatAt: 1000 }));
    let asked = 0;
    const watch = watching('alive', () => (asked += 1));
    assert.deepEqual(await abandonedRuns(connection, watch, 0, 9000), []);
    assert.equal(asked, 1);
  });

  it('the owner is told as this process, another one that lives, or one that is dead', async () => {
    const owner = async (liveness: Liveness) => {
      const found = await ownerOfSession(connection, watching(liveness), 's');
      return found && { self: found.self, alive: found.alive };
    };
    assert.equal(await owner('alive'), undefined);
    held('old', 1);
    assert.deepEqual(await owner('alive'), { self: false, alive: true });
    assert.deepEqual(await owner('dead'), { self: false, alive: false });
    const taken = await claim(connection, watching('dead'), {
      sessionId: 's',
      at: 1,
      force: false,
    });
    assert.deepEqual([taken.owned, taken.owner?.self, taken.owner?.alive], [true, true, true]);
    assert.deepEqual(await owner('dead'), { self: true, alive: true }, 'who asks lives');
    assert.equal(otherOwner(connection, 's'), undefined);
    assert.equal(
      (await claim(connection, watching('alive'), { sessionId: 's', at: 2, force: false })).owned,
      true,
      'once more',
    );
    await release(connection, 's');
    assert.equal(await owner('alive'), undefined);
    assert.equal(
      (await claim(connection, watching('alive'), { sessionId: 's', at: 3, force: false })).owned,
      true,
      'a free one',
    );
    held('another', 1);
    await release(connection, 's');
    assert.deepEqual(await owner('alive'), { self: false, alive: true }, 'another one’s stays');
  });

  it('an owner is this process by its id, its birth and its boot together; its leases are renewed, no others', async () => {
    const own = await ownIdentity();
    const isSelf = async (): Promise<boolean | undefined> =>
      (await ownerOfSession(connection, watching('alive'), 's'))?.self;
    const renewals = (): number | undefined => leaseOf(connection, 's')?.renewals;
    for (const [birth, bootId, self] of [
      [own.birth, own.bootId, true],
      ['another', own.bootId, false],
      [own.birth, 'another', false],
    ] as const) {
      held(birth, 3, bootId);
      assert.equal(await isSelf(), self);
      await renew(connection, 5);
      assert.equal(renewals(), self ? 4 : 3);
    }
    connection.run('UPDATE leases SET process_id = process_id + 1, birth = ?', own.birth);
    assert.equal(await isSelf(), false);
  });

  it('a living owner keeps the session, and who asks is told whose it is', async () => {
    held('old', 1);
    const refused = await claim(connection, watching('alive'), {
      sessionId: 's',
      at: 1,
      force: false,
    });
    assert.deepEqual(
      [refused.owned, refused.owner?.self, refused.owner?.alive, refused.owner?.birth],
      [false, false, true, 'old'],
    );
    const forced = { sessionId: 's', at: 1, force: true };
    assert.equal((await claim(connection, watching('alive'), forced)).owned, true, 'by force');
  });

  it('a session that somebody else takes while the system is asked is judged again', async () => {
    for (const [birth, renewals] of [
      ['quicker', 2],
      ['quicker', 1],
      ['old', 2],
    ] as const) {
      held('old', 1);
      let liveness: Liveness = 'dead';
      const watch = new LeaseWatch(() => {
        const judged = liveness;
        if (liveness === 'dead') held(birth, renewals);
        liveness = 'alive';
        return Promise.resolve(judged);
      });
      const refused = await claim(connection, watch, { sessionId: 's', at: 1, force: false });
      assert.deepEqual([refused.owned, refused.owner?.birth], [false, birth]);
    }
  });

  it('an id of this process in the present boot is its own, whenever it was born; of another boot it is not', async () => {
    const { bootId } = await ownIdentity();
    assert.equal(otherOwner(connection, 's'), undefined, 'nobody has it');
    held('of before', 1, bootId);
    assert.equal(otherOwner(connection, 's'), undefined);
    held('of before', 1);
    assert.equal(otherOwner(connection, 's')?.birth, 'of before');
    connection.run('UPDATE leases SET process_id = 2147483646, boot_id = ?', bootId);
    assert.equal(otherOwner(connection, 's'), undefined, 'there is no such process');
  });

  it('who enters strikes out the dead with what they left of imports, and nobody else', async () => {
    const own = await ownIdentity();
    const entered = (epoch: number, processId: number): void => {
      connection.run(
        'INSERT INTO openers (epoch, process_id, birth, boot_id, opened_at) VALUES (?, ?, ?, ?, 0)',
        epoch,
        processId,
        own.birth,
        own.bootId,
      );
      const importing = { step: 'begin', sessions: [session(`i${epoch}`)], epoch } as const;
      importStep(connection, importing);
    };
    const left = (): unknown[] => [
      connection.all<{ epoch: number }>('SELECT epoch FROM openers').map(({ epoch }) => epoch),
      connection
        .all<{ id: string }>('SELECT id FROM sessions WHERE importing IS NOT NULL')
        .map(({ id }) => id),
    ];
    takeEpochAbove(connection, 5);
    entered(1, 2_147_483_646);
    entered(2, own.processId);
    assert.deepEqual(await enter(connection, 1), { epoch: 7, unclean: true });
    assert.deepEqual(left(), [[2, 7], ['i2']]);
    assert.deepEqual(await enter(connection, 1, 7), { epoch: 7, unclean: false });
    assert.deepEqual(left(), [[2, 7], ['i2']]);
    leave(connection, 7);
    assert.deepEqual(left(), [[2], ['i2']]);
  });

  it('epochs go on above those of an imported file, if that is believed', () => {
    assert.equal(takeEpochAbove(connection, 40), 41);
    assert.equal(takeEpochAbove(connection, 5), 42);
    assert.equal(takeEpochAbove(connection, Number.MAX_SAFE_INTEGER), 1_000_000_001);
  });
});

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';
import { OtherProcess } from '../../contract/store/other-process.ts';
import {
  call,
  message,
  open,
  run,
  session,
  temporaryFolder,
  PATIENCE,
} from '../../contract/store/support.ts';

describe('store: two windows on one database', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  let other: OtherProcess;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await open(folder.path);
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    other = await OtherProcess.start(folder.path);
  });
  afterEach(async () => {
    await other.kill();
    await store.close();
    folder.remove();
  });

  it('a session has one owner, and the other window is told who', async () => {
    assert.equal((await store.leases.claim('s')).owned, true);
    const refused = await other.ask('leases', 'claim', 's');
    assert.equal(refused.owned, false);
    assert.deepEqual(
      [refused.owner?.processId, refused.owner?.self, refused.owner?.alive],
      [process.pid, false, true],
    );
    await store.leases.release('s');
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    assert.equal((await store.leases.claim('s')).owned, false);
    await store.leases.release('s');
    assert.equal((await store.leases.owner('s'))?.processId, other.pid, 'not ours to release');
  });

  it('the session of a killed owner is taken over at once', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    await other.kill();
    assert.equal((await store.leases.owner('s'))?.alive, false);
    const claimed = await store.leases.claim('s');
    assert.deepEqual([claimed.owned, claimed.owner?.self], [true, true]);
  });

  it('an owner that is stopped, not dead, keeps its session', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    other.signal('SIGSTOP');
    assert.equal((await store.leases.claim('s')).owned, false);
    other.signal('SIGCONT');
  });

  it('a process with the owner’s id but another birth is not the owner', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    tamper(folder.path, "UPDATE leases SET birth = birth || '0'");
    assert.equal((await store.leases.owner('s'))?.alive, false);
    assert.equal((await store.leases.claim('s')).owned, true);
  });

  it('an owner of an earlier boot is dead', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    tamper(
      folder.path,
      "UPDATE leases SET boot_id = 'earlier' || substr(boot_id, instr(boot_id, '|'))",
    );
    assert.equal((await store.leases.claim('s')).owned, true);
  });

  it('clocks may jump a day: leases do not depend on them', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    for (const jump of [-86_400_000, 86_400_000]) {
      tamper(folder.path, `UPDATE leases SET renewed_at = renewed_at + ${jump}`);
      assert.equal((await store.leases.claim('s')).owned, false);
    }
    await other.kill();
    assert.equal((await store.leases.claim('s')).owned, true);
  });

  it('only one of many that claim at the same time gets it', async () => {
    const third = await OtherProcess.start(folder.path);
    try {
      for (let round = 0; round < 20; round += 1) {
        const id = `race-${round}`;
        const claims = await Promise.all([
          store.leases.claim(id),
          other.ask('leases', 'claim', id),
          third.ask('leases', 'claim', id),
        ]);
        assert.equal(claims.filter((one) => one.owned).length, 1);
      }
    } finally {
      await third.kill();
    }
  });

  it('what the owner records the other may not write; titles and queued messages it may', async () => {
    assert.equal((await other.ask('leases', 'claim', 's')).owned, true);
    await assert.rejects(
      store.recorder.commit([{ kind: 'message', message: message('s', 1) }]),
      (error: unknown) => {
        assert.ok(error instanceof BelayError);
        assert.equal(error.code, 'busy');
        assert.match(error.message, new RegExp(`process ${other.pid}`));
        return true;
      },
    );
    await store.recorder.commit([{ kind: 'session', session: session('s', { title: 'Renamed' }) }]);
    await other.kill();
    await store.recorder.commit([{ kind: 'message', message: message('s', 1) }]);
  });

  it('C9: running calls of a living window stay running, those of a dead one become unknown', async () => {
    await other.ask('leases', 'claim', 's');
    await other.ask('recorder', 'commit', [
      { kind: 'run', run: run('r', 's') },
      { kind: 'ledger', entry: call('r', 's', 'c') },
    ]);
    const third = await open(folder.path);
    assert.equal((await third.runs.ledgerEntry('r', 'c'))?.state, 'running');
    assert.deepEqual(await third.runs.abandoned(0), []);
    await other.kill();
    const abandoned = await third.runs.abandoned(0);
    assert.deepEqual(
      abandoned.map((one) => one.id),
      ['r'],
    );
    assert.equal((await third.runs.ledgerEntry('r', 'c'))?.state, 'unknown');
    await third.close();
  });

  it('ids of two processes never meet', async () => {
    const another = await open(folder.path);
    assert.notEqual(store.epoch, another.epoch);
    assert.notEqual(store.ids.next('session'), another.ids.next('session'));
    await another.close();
  });

  it('both write at the same time; nothing is lost, nobody is refused', async () => {
    const count = 150;
    const write = async (commit: (id: string, seq: number) => Promise<void>, id: string) => {
      for (let seq = 1; seq <= count; seq += 1) await commit(id, seq);
    };
    await store.recorder.commit([
      { kind: 'session', session: session('here') },
      { kind: 'session', session: session('there') },
    ]);
    await Promise.all([
      write(
        (id, seq) => store.recorder.commit([{ kind: 'message', message: message(id, seq) }]),
        'here',
      ),
      write(
        (id, seq) =>
          other.ask('recorder', 'commit', [{ kind: 'message', message: message(id, seq) }]),
        'there',
      ),
    ]);
    for (const id of ['here', 'there']) {
      assert.equal((await store.transcripts.messages({ sessionId: id })).length, count);
      assert.equal((await other.ask('transcripts', 'session', id))?.messageCount, count);
    }
  });

  it('an open store holds its locks: nothing of ours has closed one of its files', async function () {
    if (process.platform !== 'linux') this.skip();
    // The first to open a folder makes its files, the second finds them there.
    const fresh = temporaryFolder();
    const first = await OtherProcess.start(fresh.path);
    const second = await OtherProcess.start(fresh.path);
    try {
      for (const { pid } of [first, second]) {
        for (const name of ['belay.db', 'belay.db-shm', 'belay-lock.db']) {
          assert.ok(locksOf(pid, path.join(fresh.path, name)) > 0, `${name} is not locked`);
        }
      }
    } finally {
      await first.kill();
      await second.kill();
      fresh.remove();
    }
  });

  it('a window that watches hears of what the owner writes', async () => {
    const heard = Promise.withResolvers<void>();
    const watching = store.watch(() => heard.resolve());
    // The first look only notes how things are.
    await store.values.get('x');
    await other.ask('values', 'set', 'x', 1);
    await heard.promise;
    assert.equal(await store.values.get('x'), 1);
    watching.dispose();
  });

  it('damage found while another window has the database open is told; the sound part still works', async () => {
    await store.recorder.commit([{ kind: 'message', message: message('s', 1, 'good') }]);
    const long = Array.from({ length: 60 }, (_, index) => ({
      kind: 'message' as const,
      message: message('s', index + 2, 'x'.repeat(2000)),
    }));
    await store.recorder.commit(long);
    tamper(folder.path, `UPDATE messages SET parts = 'no JSON' WHERE seq = 40`);
    await assert.rejects(store.transcripts.messages({ sessionId: 's' }), /not readable/);
    assert.equal(store.problems.at(-1)?.kind, 'damage_found');
    assert.match(store.problems.at(-1)?.message ?? '', /another window has it open/);
    assert.equal((await store.transcripts.messages({ sessionId: 's', limit: 5 })).length, 5);
    await store.recorder.commit([{ kind: 'message', message: message('s', 62, 'goes on') }]);
    await other.kill();
    const messages = await store.transcripts.messages({ sessionId: 's' });
    assert.equal(messages.length, 62);
    assert.equal(store.problems.at(-1)?.kind, 'salvaged');
  });
});

/** How many locks a process holds on a file, as the system tells it. */
function locksOf(pid: number, file: string): number {
  const { ino } = fs.statSync(file);
  return fs
    .readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${pid} `) && line.includes(`:${ino} `)).length;
}

/** Changes the database behind the stores' backs. */
function tamper(folder: string, sql: string): void {
  const database = new DatabaseSync(path.join(folder, 'belay.db'), { timeout: 5000 });
  database.exec(sql);
  database.close();
}

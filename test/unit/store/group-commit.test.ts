import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import path from 'node:path';
import type { LedgerState } from '../../../src/domain/run.ts';
import type { Session } from '../../../src/domain/session/session.ts';
import type { Write } from '../../../src/core/ports/store/recorder.ts';
import { Connection } from '../../../src/store/database/connection.ts';
import { reasonOf, storeError } from '../../../src/store/database/failures.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import { Engine } from '../../../src/store/engine/engine.ts';
import { commitGroup } from '../../../src/store/engine/group-commit.ts';
import { RequestQueue } from '../../../src/store/engine/request-queue.ts';
import { readLedgerEntry } from '../../../src/store/engine/runs/run-reads.ts';
import { readMessages, readSession } from '../../../src/store/engine/sessions/session-reads.ts';
import { readValue } from '../../../src/store/engine/values.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import type { Reply, Request } from '../../../src/store/rpc.ts';
import {
  call,
  message,
  PATIENCE,
  run,
  session,
  temporaryFolder,
} from '../../contract/store/support.ts';

/** Counts what reaches SQLite. */
class CountingConnection extends Connection {
  commits = 0;
  /** Statements that begin so meet damage. */
  damagedAt = 'never';

  override exec(sql: string): void {
    if (sql === 'COMMIT') this.commits += 1;
    super.exec(sql);
  }

  override run(sql: string, ...values: Parameters<Connection['run']>[1][]): number {
    if (sql.startsWith(this.damagedAt)) throw storeError('damaged', told`A page is not readable.`);
    return super.run(sql, ...values);
  }
}

describe('store: group commit', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: CountingConnection;
  beforeEach(() => {
    folder = temporaryFolder();
    connection = new CountingConnection(loadSqlite(), path.join(folder.path, 'belay.db'), {
      busyTimeoutMs: 0,
    });
    migrate(connection);
    commitGroup(connection, [request(0, [{ kind: 'session', session: session('s') }])]);
    connection.commits = 0;
  });
  afterEach(() => {
    connection.close();
    folder.remove();
  });

  it('batches that wait together cost one sync', () => {
    const replies = commitGroup(
      connection,
      Array.from({ length: 50 }, (_, index) =>
        request(index, [{ kind: 'message', message: message('s', index + 1) }]),
      ),
    );
    assert.equal(connection.commits, 1);
    assert.deepEqual(
      replies.map(outcome),
      Array.from({ length: 50 }, () => 'kept'),
    );
    assert.equal(readSession(connection, 's')?.messageCount, 50);
  });

  it('each batch is all or nothing by itself', () => {
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('s', 1) }]),
      request(2, [
        { kind: 'value', key: 'of the bad batch', value: 1 },
        { kind: 'message', message: message('nobody', 1) },
      ]),
      request(3, [{ kind: 'message', message: message('s', 2) }]),
    ]);
    assert.deepEqual(replies.map(outcome), ['kept', 'store', 'kept']);
    assert.equal(connection.commits, 1);
    assert.equal(readMessages(connection, { sessionId: 's' }).length, 2);
    assert.equal(readValue(connection, 'of the bad batch'), undefined);
  });

  it('of two that wait together the bad one alone is refused', () => {
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('nobody', 1) }]),
      request(2, [{ kind: 'message', message: message('s', 1) }]),
    ]);
    assert.deepEqual(replies.map(outcome), ['store', 'kept']);
    assert.equal(connection.commits, 1);
    assert.equal(readMessages(connection, { sessionId: 's' }).length, 1);
  });

  it('damage that one of them meets is no answer: it is thrown, to be repaired, and nothing is kept', () => {
    connection.damagedAt = 'INSERT INTO key_values';
    assert.throws(
      () =>
        commitGroup(connection, [
          request(1, [{ kind: 'message', message: message('s', 1) }]),
          request(2, [{ kind: 'value', key: 'k', value: 1 }]),
        ]),
      (error) => reasonOf(error) === 'damaged',
    );
    assert.equal(connection.inTransaction, false);
    assert.deepEqual(readMessages(connection, { sessionId: 's' }), []);
  });

  it('when the transaction as a whole fails, those who were not the cause are kept', () => {
    // A database that may not grow any further is a full disk.
    const pages = connection.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    connection.exec(`PRAGMA max_page_count = ${pages + 8}`);
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('s', 1) }]),
      request(2, [{ kind: 'message', message: message('s', 2, 'x'.repeat(1_000_000)) }]),
      request(3, [{ kind: 'value', key: 'k', value: 1 }]),
    ]);
    assert.deepEqual(replies.map(outcome), ['kept', 'store', 'kept']);
    const [, refused] = replies;
    assert.ok(refused !== undefined && 'failure' in refused);
    assert.deepEqual(refused.failure.details, { reason: 'disk_full', retryable: true });
    connection.exec('PRAGMA max_page_count = 1000000');
    const again = commitGroup(connection, [
      request(2, [{ kind: 'message', message: message('s', 2, 'x'.repeat(1_000_000)) }]),
    ]);
    assert.deepEqual(again.map(outcome), ['kept'], 'the same batch, after there is room');
  });

  it('while another process holds the database, everybody is told to try again', () => {
    const other = new Connection(loadSqlite(), connection.file, { busyTimeoutMs: 0 });
    other.exec('BEGIN IMMEDIATE');
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('s', 1) }]),
      request(2, [{ kind: 'message', message: message('s', 2) }]),
    ]);
    for (const reply of replies) {
      assert.ok('failure' in reply);
      assert.deepEqual(reply.failure.details, { reason: 'busy', retryable: true });
    }
    other.close();
    assert.equal(connection.inTransaction, false);
  });
});

describe('store: the queue of requests', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let engine: Engine;
  beforeEach(async () => {
    folder = temporaryFolder();
    engine = new Engine(() => assert.fail('nothing is damaged'));
    await engine.open({ folder: folder.path, busyTimeoutMs: 0, at: 0 });
  });
  afterEach(() => {
    engine.close();
    folder.remove();
  });

  it('joins the writes that wait, in order, up to the next read', async () => {
    const arrived: Request[] = [
      request(2, [{ kind: 'message', message: message('s', 1) }]),
      request(3, [{ kind: 'message', message: message('s', 2) }]),
      { id: 4, method: 'session', params: 's' },
      request(5, [{ kind: 'message', message: message('s', 3) }]),
      { id: 6, method: 'session', params: 's' },
    ];
    const answers: (readonly Reply[])[] = [];
    const queue = new RequestQueue(
      engine,
      (replies) => answers.push(replies),
      () => (arrived.length === 0 ? undefined : arrived.splice(0, 2)),
    );
    await queue.push([request(1, [{ kind: 'session', session: session('s') }])]);
    assert.deepEqual(
      answers.map((replies) => replies.map((reply) => reply.id)),
      [[1, 2, 3], [4], [5], [6]],
    );
    const counts = answers.flat().flatMap((reply) => ('value' in reply ? [reply.value] : []));
    assert.deepEqual(
      counts.map((value) => (value as Session | undefined)?.messageCount),
      [undefined, undefined, undefined, 2, undefined, 3],
    );
  });

  it('the beginning of a call without side effects shares the transaction of what comes next, or is written soon', async () => {
    const answers: (readonly number[])[] = [];
    const queue = new RequestQueue(
      engine,
      (replies) =>
        answers.push(
          replies.map((reply) => ('value' in reply ? reply.id : assert.fail('refused'))),
        ),
      () => undefined,
    );
    await queue.push([
      request(1, [
        { kind: 'session', session: session('s') },
        { kind: 'run', run: run('r', 's') },
      ]),
    ]);
    const row = (state: LedgerState, idempotent = true): Write => ({
      kind: 'ledger',
      entry: call('r', 's', 'a', { state, idempotent }),
    });
    const begun = queue.push([request(2, [row('running')])]);
    // Whatever is written without waiting is answered in so many steps, before any timer.
    for (let step = 0; step < 50; step += 1) await Promise.resolve();
    assert.deepEqual(answers, [[1]]);
    void queue.push([request(3, [row('done')])]);
    await begun;
    assert.deepEqual(answers, [[1], [2, 3]]);
    // Nothing comes.
    await queue.push([
      request(4, [{ kind: 'ledger', entry: call('r', 's', 'b', { idempotent: true }) }]),
    ]);
    assert.deepEqual(answers, [[1], [2, 3], [4]]);
    assert.equal(readLedgerEntry(engine.connection, 'r', 'b')?.state, 'running');
    // A side effect is written at once.
    const writing = queue.push([request(5, [{ kind: 'ledger', entry: call('r', 's', 'c') }])]);
    assert.equal(readLedgerEntry(engine.connection, 'r', 'c')?.state, 'running');
    await writing;
  });

  it('reads a value before writes that change none, and after one that does', async () => {
    const order: number[] = [];
    const queue = new RequestQueue(
      engine,
      (replies) => order.push(...replies.map(({ id }) => id)),
      () => undefined,
    );
    const value = (id: number): Request => ({ id, method: 'value', params: { key: 'k' } });
    const written = (id: number, to: number): Request => ({
      id,
      method: 'setValue',
      params: { key: 'k', value: to },
    });
    await queue.push([request(1, [{ kind: 'session', session: session('s') }]), value(2)]);
    await queue.push([
      request(3, [{ kind: 'message', message: message('s', 1) }]),
      value(4),
      request(5, [{ kind: 'value', key: 'k', value: 1 }]),
      value(6),
      request(7, [{ kind: 'message', message: message('s', 2) }]),
      written(8, 2),
      value(9),
    ]);
    assert.deepEqual(order, [2, 1, 4, 3, 5, 6, 7, 8, 9]);
  });
});

const request = (id: number, params: readonly Write[]): Request => ({
  id,
  method: 'commit',
  params,
});

const outcome = (reply: Reply): string => ('failure' in reply ? reply.failure.code : 'kept');

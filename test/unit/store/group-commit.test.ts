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
  begun = 0;
  commits = 0;
  /** Statements that begin so meet damage. */
  damagedAt = 'never';

  override exec(sql: string): void {
    if (sql === 'BEGIN IMMEDIATE') this.begun += 1;
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
    connection.begun = 0;
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
    assert.deepEqual([connection.begun, connection.commits], [1, 1]);
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

  it('what fails alone asks the disk for nothing', () => {
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('nobody', 1) }]),
    ]);
    assert.deepEqual(replies.map(outcome), ['store']);
    assert.deepEqual([connection.begun, connection.commits], [1, 0]);
  });

  it('where a newer Belay has been meanwhile, nothing is written, and that is found out once', () => {
    connection.exec('PRAGMA user_version = 1000');
    connection.begun = 0;
    const replies = commitGroup(connection, [
      request(1, [{ kind: 'message', message: message('s', 1) }]),
      request(2, [{ kind: 'message', message: message('s', 2) }]),
      request(3, []),
    ]);
    for (const reply of replies) {
      assert.ok('failure' in reply);
      assert.deepEqual(reply.failure.details, { reason: 'newer_version', retryable: false });
    }
    assert.deepEqual([connection.begun, connection.commits], [1, 0]);
    assert.deepEqual(readMessages(connection, { sessionId: 's' }), []);
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
      request(7, [{ kind: 'message', message: message('s', 4) }]),
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
      [[1, 2, 3], [4], [5, 7], [6]],
    );
    const counts = answers.flat().flatMap((reply) => ('value' in reply ? [reply.value] : []));
    assert.deepEqual(
      counts.map((value) => (value as Session | undefined)?.messageCount),
      [undefined, undefined, undefined, 2, undefined, undefined, 4],
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
    await withoutTimers();
    assert.deepEqual(answers, [[1]]);
    void queue.push([request(3, [row('done')])]);
    await withoutTimers();
    assert.deepEqual(answers, [[1], [2, 3]]);
    await begun;
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

  it('a flush waits for nothing but what came before it, nor does who pushes', async () => {
    const answers: number[] = [];
    const queue = new RequestQueue(
      engine,
      (replies) => answers.push(...replies.map(({ id }) => id)),
      () => undefined,
    );
    let isOver = false;
    void queue.push([request(1, [])]).then(() => (isOver = true));
    await withoutTimers();
    assert.deepEqual([answers, isOver], [[1], true]);
  });

  it('what comes while the database is opened or repaired waits for that', async () => {
    const place = temporaryFolder();
    const other = new Engine(() => undefined);
    const answers: (readonly [id: number, outcome: string])[] = [];
    const queue = new RequestQueue(
      other,
      (replies) => answers.push(...replies.map((reply) => [reply.id, outcome(reply)] as const)),
      () => undefined,
    );
    const task = (id: number, method: Request['method'], params?: unknown): Request => ({
      id,
      method,
      params,
    });
    const opening = queue.push([
      task(1, 'open', { folder: place.path, busyTimeoutMs: 0, at: 0 }),
      request(2, [{ kind: 'session', session: session('s') }]),
    ]);
    await queue.push([task(3, 'session', 's')]);
    await opening;
    await queue.push([task(4, 'recover', { at: 1 }), task(5, 'session', 's'), task(6, 'close')]);
    place.remove();
    assert.deepEqual(
      answers,
      [1, 2, 3, 4, 5, 6].map((id) => [id, 'kept'] as const),
    );
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
    await queue.push([value(10), request(11, []), value(12)]);
    assert.deepEqual(order, [2, 1, 4, 3, 5, 6, 7, 8, 9, 10, 12, 11]);
  });
});

const request = (id: number, params: readonly Write[]): Request => ({
  id,
  method: 'commit',
  params,
});

/** Lets everything go on that waits for no timer: it is answered in so many steps. */
async function withoutTimers(): Promise<void> {
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
}

const outcome = (reply: Reply): string => ('failure' in reply ? reply.failure.code : 'kept');

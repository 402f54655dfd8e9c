import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { BelayError } from '../../../src/domain/failure.ts';
import { Connection } from '../../../src/store/database/connection.ts';
import { openDatabase } from '../../../src/store/database/open.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import type { Migration } from '../../../src/store/migrations/migration.ts';
import { MIGRATIONS, migrate, versionOf } from '../../../src/store/migrations/migrations.ts';
import { message, open, session, temporaryFolder, PATIENCE } from '../../contract/store/support.ts';

const next: Migration = {
  version: MIGRATIONS.length + 1,
  name: 'a test of the next step',
  up: (connection) => {
    connection.exec('ALTER TABLE sessions ADD COLUMN starred INTEGER NOT NULL DEFAULT 0');
    connection.exec('CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  },
};

const failing: Migration = {
  version: next.version + 1,
  name: 'a step that fails half way',
  up: (connection) => {
    connection.exec('CREATE TABLE half (a)');
    connection.exec('INSERT INTO nowhere VALUES (1)');
  },
};

describe('store: migrations', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    file = path.join(folder.path, 'belay.db');
    const store = await open(folder.path);
    await store.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'message', message: message('s', 1, 'from before') },
    ]);
    await store.close();
  });
  afterEach(() => folder.remove());

  const openWith = (migrations: readonly Migration[]) =>
    openDatabase({
      sqlite: loadSqlite(),
      folder: folder.path,
      busyTimeoutMs: 1000,
      at: Date.UTC(2026, 10, 21),
      migrations,
      report: () => assert.fail('nothing is damaged'),
    });

  it('versions are 1, 2, 3 … without gaps', () => {
    assert.deepEqual(
      MIGRATIONS.map((migration) => migration.version),
      MIGRATIONS.map((_, index) => index + 1),
    );
  });

  it('every released schema migrates forward with its content', async () => {
    const fixtures = new URL('../../fixtures/store/', import.meta.url);
    for (const { version } of MIGRATIONS) {
      const old = temporaryFolder();
      fs.copyFileSync(new URL(`version-${version}.db`, fixtures), path.join(old.path, 'belay.db'));
      const store = await open(old.path);
      const [found] = await store.transcripts.sessions();
      assert.equal(found?.title, `A session of version ${version}`);
      assert.equal(found.messageCount, 2);
      assert.equal((await store.transcripts.messages({ sessionId: found.id })).length, 2);
      const released = async () => store.transcripts.search('released', 5);
      while (!(await released()).complete) await delay(10);
      assert.equal((await released()).hits.length, 1);
      assert.equal((await store.runs.ledger({ sessionId: found.id })).length, 1);
      await store.close();
      old.remove();
    }
  });

  it('a step forward keeps the content, and a backup of the old version is made first', async () => {
    const opened = await openWith([...MIGRATIONS, next]);
    assert.equal(versionOf(opened.connection), next.version);
    const row = opened.connection.get<{ starred: number }>('SELECT starred FROM sessions');
    assert.equal(row?.starred, 0);
    opened.connection.close();
    opened.lock.release();
    const [backup] = fs.readdirSync(path.join(folder.path, 'backups'));
    assert.equal(backup, `belay-version-${MIGRATIONS.length}-2026-11-21T00-00-00.db`);
    const old = new DatabaseSync(path.join(folder.path, 'backups', backup ?? ''));
    assert.equal(old.prepare('PRAGMA user_version').get()?.['user_version'], MIGRATIONS.length);
    assert.equal(old.prepare('SELECT count(*) AS n FROM messages').get()?.['n'], 1);
    old.close();
  });

  it('a step that fails leaves the database as it was, also where others went well', async () => {
    await assert.rejects(
      openWith([...MIGRATIONS, next, failing]),
      (error: unknown) => error instanceof BelayError && error.code === 'store',
    );
    const database = new DatabaseSync(file);
    assert.equal(
      database.prepare('PRAGMA user_version').get()?.['user_version'],
      MIGRATIONS.length,
    );
    const half = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get();
    assert.equal(half, undefined);
    assert.equal(database.prepare('SELECT count(*) AS n FROM messages').get()?.['n'], 1);
    database.close();
  });

  it('messages of before the index become findable in small steps, and are found in their session at once', async () => {
    fs.copyFileSync(new URL('../../fixtures/store/version-3.db', import.meta.url), file);
    const before = await openWith(MIGRATIONS.slice(0, 3));
    before.connection.transaction(() => {
      for (let seq = 3; seq <= 400; seq += 1)
        before.connection.run(
          `INSERT INTO messages (session_id, seq, id, role, created_at, parts)
           VALUES ('s1-1', ?, ?, 'assistant', 0, ?)`,
          seq,
          `m${seq}`,
          JSON.stringify([{ type: 'text', text: `Old **words** ${seq} `.repeat(50) }]),
        );
    });
    before.connection.close();
    before.lock.release();
    const store = await open(folder.path);
    const places = await store.transcripts.find({
      sessionId: 's1-1',
      query: 'old words 400',
      matchCase: false,
    });
    assert.deepEqual(
      places.map(({ hits }) => hits),
      [50],
    );
    const searched = () => store.transcripts.search('words', 9);
    let steps = 0;
    while (!(await searched()).complete) {
      steps += 1;
      await delay(5);
    }
    assert.ok(steps > 0);
    assert.equal((await searched()).hits[0]?.hits, 398);
    await store.close();
  });

  it('migrating what is up to date changes nothing', () => {
    const connection = new Connection(loadSqlite(), file, { busyTimeoutMs: 0 });
    const before = connection.get('PRAGMA schema_version');
    migrate(connection);
    assert.deepEqual(connection.get('PRAGMA schema_version'), before);
    connection.close();
  });

  it('a damaged old version is rescued before it is migrated', async () => {
    const descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, Buffer.alloc(100, 0x42), 0, 100, 0);
    fs.closeSync(descriptor);
    const problems: string[] = [];
    const opened = await openDatabase({
      sqlite: loadSqlite(),
      folder: folder.path,
      busyTimeoutMs: 1000,
      at: 0,
      migrations: [...MIGRATIONS, next],
      report: (problem) => problems.push(problem.kind),
    });
    assert.deepEqual(problems, ['salvaged']);
    assert.equal(versionOf(opened.connection), next.version);
    assert.equal(opened.connection.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n, 1);
    opened.connection.close();
    opened.lock.release();
  });
});

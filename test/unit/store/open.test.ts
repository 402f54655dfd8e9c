import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BelayError } from '../../../src/domain/failure.ts';
import { loadSqlite, type Sqlite } from '../../../src/store/database/sqlite.ts';
import { PersonDatabase } from '../../../src/store/person/person-database.ts';
import type { StoreProblem } from '../../../src/store/rpc.ts';
import { OtherProcess } from '../../contract/store/other-process.ts';
import { message, open, session, temporaryFolder, PATIENCE } from '../../contract/store/support.ts';

/** A refusal of code `store` with a sentence that matches, for `assert.rejects`. */
const refused = (reason: string, sentence: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BelayError, String(error));
  assert.equal(error.code, 'store');
  assert.equal(error.failure.details?.['reason'], reason);
  assert.match(error.message, sentence);
  return true;
};

describe('store: opening', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = path.join(folder.path, 'belay.db');
  });
  afterEach(() => folder.remove());

  it('makes the folder and a database with a write-ahead log and a sync at every commit', async () => {
    const deep = path.join(folder.path, 'a', 'b');
    const store = await open(deep);
    assert.equal(store.journalMode, 'wal');
    assert.equal(store.file, path.join(deep, 'belay.db'));
    await store.close();
    await store.close();
    const database = new DatabaseSync(store.file);
    assert.deepEqual({ ...database.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' });
    database.close();
  });

  it('reads the journal mode back: a folder that refuses the log gets a rollback journal', async () => {
    const store = await open(folder.path, { vfs: 'unix-dotfile' });
    assert.equal(store.journalMode, 'delete');
    await store.close();
  });

  it('a folder in place of the file', async () => {
    fs.mkdirSync(file);
    fs.writeFileSync(path.join(file, 'mine.txt'), 'x');
    await assert.rejects(
      open(folder.path),
      refused('not_openable', /there is a folder.*move it away/),
    );
    assert.ok(fs.existsSync(path.join(file, 'mine.txt')));
  });

  it('a file in place of the folder', async () => {
    const taken = path.join(folder.path, 'file');
    fs.writeFileSync(taken, 'x');
    await assert.rejects(open(taken), refused('not_openable', /cannot be opened/));
  });

  it('a database of another program is not touched', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
    other.close();
    const before = fs.readFileSync(file);
    await assert.rejects(open(folder.path), refused('foreign', /another program.*move it away/));
    assert.deepEqual(fs.readFileSync(file), before);
  });

  it('a database of a newer Belay is refused with a sentence and not touched', async () => {
    await (await open(folder.path)).close();
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const before = fs.readFileSync(file);
    await assert.rejects(open(folder.path), refused('newer_version', /newer Belay.*update Belay/));
    assert.deepEqual(fs.readFileSync(file), before);
  });

  it('a newer Belay in another window migrates it: this window refuses to write on', async () => {
    const store = await open(folder.path);
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await assert.rejects(
      store.recorder.commit([{ kind: 'session', session: session('s') }]),
      refused('newer_version', /reload the window/),
    );
    await store.close().catch(() => {});
  });

  it('an editor without node:sqlite gets a sentence', () => {
    assert.throws(() => loadSqlite(() => undefined), refused('no_sqlite', /update VS Code/));
    assert.throws(
      () =>
        loadSqlite(() => {
          throw new Error('No such built-in module: node:sqlite');
        }),
      refused('no_sqlite', /update VS Code/),
    );
  });

  it('ten stores that make the same new database at once all get in, with different epochs', async () => {
    const epochs = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const store = await open(folder.path);
        await store.recorder.commit([
          { kind: 'session', session: session(store.ids.next('session')) },
        ]);
        return store;
      }),
    );
    assert.equal(new Set(epochs.map((store) => store.epoch)).size, 10);
    assert.equal((await epochs[0]?.transcripts.sessions())?.length, 10);
    await Promise.all(epochs.map((store) => store.close()));
  });

  it('a second process waits while the first creates the user database, and reports no loss', () => {
    const problems: string[] = [];
    const report = ({ message }: StoreProblem): void => void problems.push(message);
    const sqlite = loadSqlite();
    const start = (own: Sqlite): PersonDatabase =>
      new PersonDatabase({
        sqlite: own,
        folder: folder.path,
        busyTimeoutMs: 50,
        report,
        enter: () => () => undefined,
      });
    const second = start(sqlite);
    let tries = 0;
    /** Lets the second process start as soon as the first has made a file for the database. */
    class Paused extends sqlite.DatabaseSync {
      override prepare(sql: string): StatementSync {
        if (sql.includes('journal_mode') && tries === 0) {
          tries += 1;
          try {
            second.transaction(() => undefined);
          } catch (error) {
            refused('busy', /./u)(error);
          }
        }
        return super.prepare(sql);
      }
    }
    const first = start({ ...sqlite, DatabaseSync: Paused });
    first.transaction((connection) =>
      connection.run("INSERT INTO warned (what) VALUES ('by the first')"),
    );
    const seen = second.transaction((connection) => connection.all('SELECT what FROM warned'));
    assert.deepEqual([tries, seen.length, problems], [1, 1, []]);
    first.close();
    second.close();
  });

  it('a database whose creation was cut off is created by the next start without a loss', async () => {
    const person = path.join(folder.path, 'user');
    fs.mkdirSync(person);
    for (const unfinished of [`${file}.new`, path.join(person, 'person.db.new')])
      fs.writeFileSync(unfinished, 'cut off');
    const store = await open(folder.path, { person: { folder: person, name: 'work' } });
    await store.person.person('owner');
    assert.deepEqual(store.problems, []);
    await store.close();
    assert.ok(!fs.existsSync(path.join(person, 'person.db.new')));
  });

  it('two processes that start at once on a new data folder report nothing, time after time', async function () {
    this.timeout(3 * PATIENCE);
    for (let round = 0; round < 3; round += 1) {
      const data = path.join(folder.path, `data-${round}`);
      const person = path.join(folder.path, `user-${round}`);
      const both = await Promise.all([
        OtherProcess.start(data, person),
        OtherProcess.start(data, person),
      ]);
      await Promise.all(both.map(async (one) => one.ask('person', 'person', 'owner')));
      assert.deepEqual(await Promise.all(both.map(async (one) => one.problems())), [[], []]);
      await Promise.all(both.map(async (one) => one.kill()));
    }
  });

  it('an idle store does not keep its process alive', async () => {
    const script = `
      const { openStore } = await import(${JSON.stringify(source('store/store.ts'))});
      const { SystemClock } = await import(${JSON.stringify(source('hosts/node/clock.ts'))});
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const store = await openStore({ folder: ${JSON.stringify(folder.path)}, clock: new SystemClock(), log,
        worker: new URL(${JSON.stringify(source('store/worker.ts'))}) });
      await store.values.set('k', 1);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0);
    const store = await open(folder.path);
    assert.equal(await store.values.get('k'), 1);
    await store.close();
  });

  describe('where nothing may be written', () => {
    it('a read-only file or folder: told at once, content untouched', async function () {
      const store = await open(folder.path);
      await store.recorder.commit([
        { kind: 'session', session: session('s') },
        { kind: 'message', message: message('s', 1) },
      ]);
      await store.close();
      const before = fs.readFileSync(file);
      fs.chmodSync(file, 0o444);
      fs.chmodSync(folder.path, 0o555);
      try {
        const { code, failure } = await openAsNobody(folder.path);
        if (code === 77) this.skip();
        assert.equal(failure.code, 'store');
        assert.match(failure.message, /read-only|cannot be opened/);
        assert.match(failure.message, /reload the window/);
        assert.deepEqual(fs.readFileSync(file), before);
      } finally {
        fs.chmodSync(folder.path, 0o755);
        fs.chmodSync(file, 0o644);
      }
    });

    it('a read-only file in a folder that can be written', async function () {
      await (await open(folder.path)).close();
      fs.chmodSync(file, 0o444);
      fs.chmodSync(folder.path, 0o777);
      fs.chmodSync(path.join(folder.path, 'belay-lock.db'), 0o666);
      const { code, failure } = await openAsNobody(folder.path);
      if (code === 77) this.skip();
      assert.equal(failure.code, 'store');
      assert.match(failure.message, /read-only.*make the file and its folder writable/);
    });
  });
});

const source = (name: string): string => new URL(`../../../src/${name}`, import.meta.url).href;

interface Outcome {
  /** 77: this machine does not allow it. */
  readonly code: number;
  readonly failure: { readonly code: string; readonly message: string };
}

/** Opens the store as a user without rights: the administrator may write everywhere. */
async function openAsNobody(folder: string): Promise<Outcome> {
  const script = `
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    const { openStore } = await import(${JSON.stringify(source('store/store.ts'))});
    const { SystemClock } = await import(${JSON.stringify(source('hosts/node/clock.ts'))});
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    try {
      await openStore({ folder: ${JSON.stringify(folder)}, clock: new SystemClock(), log,
        worker: new URL(${JSON.stringify(source('store/worker.ts'))}) });
      console.log('{}');
    } catch (error) { console.log(JSON.stringify(error.failure ?? { code: 'thrown', message: String(error) })); }
    process.exit(0);
  `;
  if (process.platform === 'win32') return { code: 77, failure: { code: '', message: '' } };
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, errors);
  return { code: 0, failure: JSON.parse(output) as Outcome['failure'] };
}

import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PlannedRequest } from '../../../src/core/ports/store/person.ts';
import type { UsageRecord } from '../../../src/core/ports/store/recorder.ts';
import type { Cap } from '../../../src/domain/budget.ts';
import { Connection, transactionKeptElsewhere } from '../../../src/store/database/connection.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import { MIGRATIONS, migrate } from '../../../src/store/migrations/migrations.ts';
import type { Store } from '../../../src/store/store.ts';
import { HandClock } from '../../support/hand-clock.ts';
import { OtherProcess } from './other-process.ts';
import { open, PATIENCE, session, temporaryFolder } from './support.ts';

const TOKENS: Cap = { period: 'month', unit: 'tokens', limit: 1000 };

const planned = (key: string, most: number, least = 10): PlannedRequest => ({
  key,
  sessionId: 's',
  runId: 'r',
  most: { tokens: most, cost: 0 },
  least: { tokens: least, cost: 0 },
});

const used = (key: string, tokens: number, at = Date.now()): UsageRecord => ({
  sessionId: 's',
  runId: 'r',
  model: 'm',
  purpose: 'turn',
  usage: { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  cost: 0.5,
  at,
  details: { key, provider: 'p', ms: 60_000, tools: ['read_file', '=SUM(A1)'] },
});

describe('store: what counts over all workspaces of a person', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  const opened: Store[] = [];
  const person = (): string => path.join(folder.path, 'person');
  const file = (): string => path.join(person(), 'person.db');

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(async (store) => store.close()));
    folder.remove();
  });

  async function workspace(name: string, clock = new HandClock()): Promise<Store> {
    const store = await open(path.join(folder.path, name), {
      clock,
      person: { folder: person(), name },
      busyTimeoutMs: 500,
    });
    opened.push(store);
    return store;
  }
  const month = async (store: Store): Promise<number> =>
    (await store.person.uses([TOKENS], {}))[0]?.used ?? -1;

  it('what is reserved by one window is not there for another; the last response may be over, no further one', async () => {
    const [one, other] = [await workspace('one'), await workspace('other')];
    assert.equal((await one.person.reserve(planned('a', 800), [TOKENS])).kind, 'admitted');
    assert.equal((await other.person.reserve(planned('b', 800), [TOKENS])).kind, 'wait');
    assert.equal((await other.person.reserve(planned('c', 200), [TOKENS])).kind, 'admitted');
    await one.person.settle(used('a', 700), []);
    await other.person.release('c');
    // Its most does not fit, and nothing else is under way.
    assert.equal((await other.person.reserve(planned('b', 800), [TOKENS])).kind, 'admitted');
    await other.person.settle(used('b', 800), []);
    const refused = await one.person.reserve(planned('d', 20), [TOKENS]);
    assert.equal(refused.kind === 'refused' && refused.cap.used, 1500);
    assert.equal(await month(one), 1500);
  });

  it('copies the database of an earlier folder once, and leaves the old one where it is', async () => {
    const before = await workspace('one');
    await before.person.settle(used('a', 700), []);
    await before.memories.add({ scope: 'person', text: 'a note', sessionId: 's' });
    const { id } = await before.person.person('owner');
    await before.close();
    const earlierFolder = person();
    const moved = { folder: path.join(folder.path, 'moved'), earlierFolder, name: 'other' };
    const openMoved = async (name: string): Promise<Store> => {
      const store = await open(path.join(folder.path, name), {
        clock: new HandClock(),
        person: moved,
      });
      opened.push(store);
      return store;
    };
    // Two windows at the same time.
    const [one, two] = await Promise.all([openMoved('other'), openMoved('third')]);
    assert.deepEqual(await Promise.all([month(one), month(two)]), [700, 700]);
    assert.equal((await two.person.person('owner')).id, id);
    assert.deepEqual(
      (await one.memories.all()).map(({ text }) => text),
      ['a note'],
    );
    assert.ok(statSync(file()).size > 0);
    await one.person.settle(used('b', 100), []);
    await Promise.all([one.close(), two.close()]);
    assert.equal(await month(await openMoved('other')), 800);
    assert.deepEqual(
      readdirSync(moved.folder).filter(
        (name) => !/^(?:belay-marks|person(?:-lock)?\.db(?:-wal|-shm)?)$/u.test(name),
      ),
      [],
    );
  });

  it('a call counts once, however often it is told; the warning at 80 % comes once', async () => {
    const one = await workspace('one');
    assert.deepEqual(await one.person.settle(used('a', 700), [TOKENS]), []);
    assert.equal((await one.person.settle(used('b', 150), [TOKENS])).length, 1);
    assert.deepEqual(await one.person.settle(used('b', 150), [TOKENS]), []);
    assert.equal(await month(one), 850);
  });

  it('an open call counts beside the rest of its reservation; its end replaces that, also after a crash', async () => {
    const ended = used('a', 420);
    const { details = { key: 'a', provider: 'p', ms: 0, tools: [] } } = ended;
    const opened300: UsageRecord = {
      ...used('a', 300),
      cost: 0.25,
      details: { ...details, open: true, ms: 10, tools: [] },
    };
    const one = await workspace('one');
    await one.recorder.commit([{ kind: 'session', session: session('s') }]);
    await one.person.reserve(planned('a', 800), [TOKENS]);
    await one.recorder.commit([{ kind: 'usage', usage: opened300 }]);
    await one.person.settle(opened300, []);
    assert.equal(await month(one), 300);
    assert.equal((await one.person.reserve(planned('b', 200), [TOKENS])).kind, 'admitted');
    assert.equal((await one.person.reserve(planned('c', 1, 1), [TOKENS])).kind, 'wait');
    await one.person.release('b');
    // Another window takes over what is on record so far.
    assert.equal(await month(await workspace('one')), 300);
    await one.recorder.commit([{ kind: 'usage', usage: ended }]);
    await Promise.all(opened.splice(0).map(async (store) => store.close()));

    const again = await workspace('one');
    assert.equal(await month(again), 420, 'taken over once more');
    await again.person.settle(opened300, []);
    assert.equal(await month(again), 420, 'an open record is never the last one');
    const { inputTokens, cost } = (await again.transcripts.session('s')) ?? {};
    assert.deepEqual([inputTokens, cost], [420, 0.5]);
    assert.equal((await again.usage.records('s')).length, 1);
  });

  it('caps of a run, a session and a day count their own; the month begins anew after 30 days', async () => {
    const clock = new HandClock();
    const one = await workspace('one', clock);
    await one.person.person('owner');
    await one.person.settle(used('a', 100, clock.now()), []);
    const caps = (['run', 'session', 'day', 'month'] as const).flatMap((period) =>
      (['tokens', 'cost', 'minutes'] as const).map((unit) => ({ period, unit, limit: 1 })),
    );
    const uses = await one.person.uses(caps, { sessionId: 's', runId: 'r' });
    assert.deepEqual(
      uses.map((use) => use.used),
      [0, 1, 2, 3].flatMap(() => [100, 0.5, 1]),
    );
    const others = await one.person.uses(caps, { sessionId: 's', runId: 'other' });
    assert.deepEqual(
      others.slice(0, 4).map((use) => use.used),
      [0, 0, 0, 100],
    );
    clock.jump(2 * 24 * 3_600_000);
    assert.deepEqual(
      (await one.person.uses(caps, {})).slice(6).map((use) => use.used),
      [0, 0, 0, 100, 0.5, 1],
    );
    clock.jump(28 * 24 * 3_600_000);
    assert.equal(await month(one), 0);
  });

  it('a process that is killed between reservation and settlement takes its reservation along', async () => {
    const one = await workspace('one');
    const other = await OtherProcess.start(path.join(folder.path, 'other'), person());
    const admitted = await other.ask('person', 'reserve', planned('a', 900), [TOKENS]);
    assert.equal(admitted.kind, 'admitted');
    assert.equal((await one.person.reserve(planned('b', 900), [TOKENS])).kind, 'wait');
    // Recorded in its workspace, not yet in the sum.
    await other.ask('recorder', 'commit', [
      { kind: 'session', session: session('s') },
      { kind: 'usage', usage: used('a', 300) },
    ]);
    await other.kill();
    assert.equal((await one.person.reserve(planned('b', 900), [TOKENS])).kind, 'admitted');
    assert.equal(await month(one), 0);
    const again = await workspace('other');
    assert.equal(await month(again), 300, 'counted when its workspace is opened');
    assert.equal(await month(one), 300);
  });

  it('a power loss takes no call out of the sum: what was settled is taken over from its workspace again', async () => {
    const one = await workspace('one');
    await one.person.settle(used('a', 100), []);
    // The disk as it may be after a power loss, without what was settled last.
    const lost = path.join(folder.path, 'lost');
    cpSync(person(), lost, { recursive: true });
    await one.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'usage', usage: used('b', 300) },
    ]);
    await one.person.settle(used('b', 300), []);
    await one.person.link({ provider: 'p', id: '1', label: 'mine' });
    assert.equal(await month(one), 400);
    await Promise.all(opened.splice(0).map(async (store) => store.close()));
    rmSync(person(), { recursive: true });
    renameSync(lost, person());
    assert.equal(await month(await workspace('one')), 400);
  });

  it('only what a workspace has on disk is settled without a wait for the disk', async () => {
    const synced: string[] = [];
    class Watched extends Connection {
      override exec(sql: string): void {
        super.exec(sql);
        if (sql !== 'COMMIT') return;
        const { synchronous } = this.get<{ synchronous: number }>('PRAGMA synchronous') ?? {};
        synced.push(synchronous === 2 ? 'full' : 'later');
      }
    }
    const connection = new Watched(loadSqlite(), path.join(folder.path, 'any.db'), {
      busyTimeoutMs: 0,
    });
    connection.exec('PRAGMA synchronous = FULL');
    // With a rollback journal a power loss could damage the whole database.
    transactionKeptElsewhere(connection, () => undefined);
    connection.exec('PRAGMA journal_mode = WAL');
    connection.transaction(() => undefined);
    transactionKeptElsewhere(connection, () => undefined);
    assert.throws(() =>
      transactionKeptElsewhere(connection, () => {
        throw new Error('refused');
      }),
    );
    connection.transaction(() => undefined);
    connection.close();
    assert.deepEqual(synced, ['full', 'full', 'later', 'full']);
  });

  it('the usage of an earlier version is taken over, once; that of imported sessions is not', async () => {
    mkdirSync(path.join(folder.path, 'one'));
    const earlier = new Connection(loadSqlite(), path.join(folder.path, 'one', 'belay.db'), {
      busyTimeoutMs: 500,
    });
    migrate(earlier, MIGRATIONS.slice(0, 4));
    for (const imported of [0, 1])
      earlier.run(
        `INSERT INTO usage (session_id, run_id, model, purpose, input_tokens, output_tokens, cache_read_tokens,
           cache_write_tokens, at, imported) VALUES ('s', 'r', 'm', 'turn', 40, 0, 0, 0, ?, ?)`,
        Date.now(),
        imported,
      );
    earlier.close();
    for (let time = 0; time < 2; time += 1) {
      const after = await workspace('one');
      assert.equal(await month(after), 40);
      await after.close();
      opened.length = 0;
    }
    rmSync(person(), { recursive: true });
    assert.equal(
      await month(await workspace('one')),
      40,
      'again into a database that was made anew',
    );
  });

  it('a database that is deleted or replaced while it is open is noticed', async () => {
    const one = await workspace('one');
    await one.recorder.commit([
      { kind: 'session', session: session('s') },
      { kind: 'usage', usage: used('a', 70) },
    ]);
    await one.person.settle(used('a', 70), []);
    renameSync(person(), `${person()}.away`);
    assert.equal(await month(one), 70, 'from the workspace, into a new one');
    assert.ok(readdirSync(person()).includes('person.db'));
  });

  it('a damaged one is moved aside and told; a read-only one and a folder in its place are a refusal, and the workspace works', async () => {
    const one = await workspace('one');
    await one.person.settle(used('a', 70), []);
    await one.close();
    opened.length = 0;
    writeFileSync(file(), 'not a database '.repeat(500));
    const two = await workspace('one');
    assert.equal(await month(two), 0);
    assert.match(
      two.problems.map(({ message }) => message).join(),
      /person\.db.*begun anew.*damaged-/u,
    );
    await two.close();
    opened.length = 0;
    rmSync(person(), { recursive: true });
    writeFileSync(person(), '');
    const three = await workspace('one');
    await assert.rejects(three.person.reserve(planned('b', 1), [TOKENS]), { code: 'store' });
    await assert.rejects(three.memories.recall('anything', 5), { code: 'store' });
    assert.equal(three.problems.length, 1, 'told once');
    await three.recorder.commit([{ kind: 'session', session: session('t') }]);
    assert.ok(await three.transcripts.session('t'));
    chmodSync(person(), 0o600);
  });

  const instead: Readonly<Record<string, readonly [make: () => void, told: RegExp]>> = {
    'a folder': [() => mkdirSync(file()), /person\.db should be, there is a folder/u],
    'a link to itself': [() => symlinkSync(file(), file()), /should be, there is something/u],
    'the database of another program': [
      () => {
        const theirs = new DatabaseSync(file());
        theirs.exec('CREATE TABLE theirs (a)');
        theirs.close();
      },
      /person\.db is a database of another program/u,
    ],
    'an empty file': [() => writeFileSync(file(), ''), /was empty and was begun anew\. Notes/u],
  };
  for (const [what, [make, told]] of Object.entries(instead))
    it(`${what} in its place is told, once, also where nothing is to be paid`, async () => {
      const one = await workspace('one');
      await one.memories.add({ scope: 'person', text: 'a note', sessionId: 's' });
      await one.close();
      opened.length = 0;
      rmSync(person(), { recursive: true });
      mkdirSync(person());
      make();
      const two = await workspace('two');
      await two.memories.recall('a note', 5).catch(() => undefined);
      await two.memories.recall('a note', 5).catch(() => undefined);
      assert.equal(two.problems.length, 1);
      assert.match(two.problems[0]?.message ?? '', told);
    });

  it('one person over all workspaces: the same id, their level, linked accounts without a token', async () => {
    const [one, other] = [await workspace('one'), await workspace('other')];
    const [first, second] = [await one.person.person('owner'), await other.person.person('guest')];
    assert.equal(first.id, second.id);
    assert.notEqual(first.workspaceId, second.workspaceId);
    assert.equal(second.level, 'guest');
    const account = { provider: 'github', id: '7', label: 'me' };
    await one.person.settle(used('a', 70), []);
    await one.person.link(account);
    await one.person.link({ ...account, label: 'me again' });
    assert.deepEqual(await other.person.accounts(), [{ ...account, label: 'me again' }]);
    assert.equal(await month(other), 70, 'linking keeps the usage');
    await other.person.unlink(account);
    assert.deepEqual(await one.person.accounts(), []);
  });

  it('sums by day, model, session and tool, and every call for an export', async () => {
    const one = await workspace('one');
    await one.person.settle(used('a', 70), []);
    await one.person.settle(used('b', 30), []);
    const sums = await one.person.sums(0);
    assert.deepEqual(
      sums.map(({ by, calls, inputTokens, cost }) => [by, calls, inputTokens, cost]),
      [
        ['day', 2, 100, 1],
        ['model', 2, 100, 1],
        ['session', 2, 100, 1],
        ['tool', 1, 50, 0.5],
        ['tool', 1, 50, 0.5],
      ],
    );
    assert.deepEqual(
      (await one.person.calls()).map(({ inputTokens }) => inputTokens),
      [70, 30],
    );
  });
});

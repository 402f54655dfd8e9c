import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store, StoreProblem } from '../../../src/store/store.ts';
import {
  call,
  message,
  open,
  run,
  session,
  temporaryFolder,
  PATIENCE,
} from '../../contract/store/support.ts';
import { createRandom } from '../../support/seed.ts';

/** Enough rows that tables have many pages and inner nodes. */
const MESSAGES = 600;
const random = createRandom();
const LONG = 'lorem ipsum dolor sit amet '.repeat(60);

describe('store: damaged databases', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let store: Store | undefined;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = path.join(folder.path, 'belay.db');
    await fill(folder.path);
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    folder.remove();
  });

  const openIt = async (): Promise<Store> => {
    store = await open(folder.path);
    return store;
  };

  it('opens a sound database without a word', async () => {
    const sound = await openIt();
    assert.deepEqual(sound.problems, []);
    assert.equal((await sound.transcripts.session('s'))?.messageCount, MESSAGES);
    assert.deepEqual(asideIn(folder.path), []);
  });

  it('header garbage: everything is kept, the old file lies aside', async () => {
    overwrite(file, 0, randomBytes(100));
    await expectWhole(await openIt());
  });

  it('a lost first page, with the list of tables: everything is kept', async () => {
    overwrite(file, 0, randomBytes(4096));
    await expectWhole(await openIt());
  });

  it('a flipped page in the messages: the others are kept, gaps say what is missing', async () => {
    const page = pageOf(file, 'messages', 'message number 300 ');
    overwrite(file, page * 4096, randomBytes(4096));
    const rescued = await openIt();
    expectReport(rescued.problems);
    const messages = await rescued.transcripts.messages({ sessionId: 's' });
    assert.deepEqual(
      messages.map((one) => one.seq),
      Array.from({ length: MESSAGES }, (_, index) => index + 1),
      'every number has a message',
    );
    const lost = messages.filter((one) => JSON.stringify(one.parts).includes('was lost'));
    assert.ok(lost.length >= 1 && lost.length <= 10, `${lost.length} messages lost on one page`);
    assert.equal((await rescued.transcripts.session('s'))?.messageCount, MESSAGES);
    await expectUsable(rescued, MESSAGES + 1);
  });

  it('a flipped page in an index: nothing at all is lost', async () => {
    const page = pageOf(file, 'sqlite_autoindex_messages_2', 'm-450');
    overwrite(file, page * 4096, randomBytes(4096));
    await expectWhole(await openIt());
  });

  it('changed bytes inside a message, which no page check can see: that message only is lost', async () => {
    const page = pageOf(file, 'messages', 'message number 300 ');
    const at = fs.readFileSync(file).indexOf('message number 300 ', page * 4096);
    overwrite(file, at, Buffer.from('"""'));
    const rescued = await openIt();
    assert.deepEqual(rescued.problems, [], 'the pages are sound');
    const messages = await rescued.transcripts.messages({ sessionId: 's' });
    expectReport(rescued.problems);
    assert.equal(messages.length, MESSAGES);
    const lost = messages.filter((one) => JSON.stringify(one.parts).includes('was lost'));
    assert.deepEqual(
      lost.map((one) => one.seq),
      [300],
    );
  });

  it('lost sessions: their messages get a session that says so', async () => {
    const page = pageOf(file, 'sessions', 'Session s');
    overwrite(file, page * 4096, randomBytes(4096));
    const rescued = await openIt();
    expectReport(rescued.problems);
    const found = await rescued.transcripts.session('s');
    assert.equal(found?.title, 'Rescued session');
    assert.equal(found.messageCount, MESSAGES);
    await expectUsable(rescued, MESSAGES + 1);
  });

  it('truncated to a half: the first half is kept', async () => {
    fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2));
    const rescued = await openIt();
    expectReport(rescued.problems);
    const messages = await rescued.transcripts.messages({ sessionId: 's' });
    const good = messages.filter((one) => !JSON.stringify(one.parts).includes('was lost'));
    assert.ok(good.length > MESSAGES / 5, `${good.length} messages kept`);
  });

  it('truncated to 0: never silently empty; without a backup it says that nothing was readable', async () => {
    fs.truncateSync(file, 0);
    const rescued = await openIt();
    expectReport(rescued.problems);
    assert.match(rescued.problems[0]?.message ?? '', /0 sessions with 0 messages/);
    await rescued.recorder.commit([{ kind: 'session', session: session('new') }]);
  });

  it('truncated to 0 with a backup: the backup comes back, ids go on above the old ones', async () => {
    backUp(folder.path);
    const before = await openIt();
    const oldEpoch = before.epoch;
    await before.close();
    fs.truncateSync(file, 0);
    const rescued = await openIt();
    expectReport(rescued.problems);
    assert.match(rescued.problems[0]?.message ?? '', /from the last backup/);
    assert.equal((await rescued.transcripts.session('s'))?.messageCount, MESSAGES);
    assert.ok(rescued.epoch > oldEpoch, `${rescued.epoch} after ${oldEpoch}`);
    await expectUsable(rescued, MESSAGES + 1);
  });

  it('a page lost since the backup is filled from it; what was deleted since stays deleted', async () => {
    backUp(folder.path);
    const before = await openIt();
    await before.transcripts.deleteSession('other');
    await before.recorder.commit([
      { kind: 'message', message: message('s', MESSAGES + 1, 'newest') },
    ]);
    await before.close();
    const page = pageOf(file, 'messages', 'message number 300 ');
    overwrite(file, page * 4096, randomBytes(4096));
    const rescued = await openIt();
    expectReport(rescued.problems);
    const messages = await rescued.transcripts.messages({ sessionId: 's' });
    assert.equal(messages.length, MESSAGES + 1);
    assert.ok(!JSON.stringify(messages).includes('was lost'));
    assert.equal(await rescued.transcripts.session('other'), undefined);
  });

  it('deleted altogether, but it had been there: told, not silently new', async () => {
    fs.rmSync(file);
    const rescued = await openIt();
    expectReport(rescued.problems);
  });

  it('damage that shows itself only at work is repaired without a restart', async () => {
    const working = await openIt();
    await working.transcripts.sessions();
    overwrite(file, pageOf(file, 'messages', 'message number 300 ') * 4096, randomBytes(4096));
    const messages = await working.transcripts.messages({ sessionId: 's', beforeSeq: 500 });
    assert.equal(messages.length, 499);
    expectReport(working.problems);
    await expectUsable(working, MESSAGES + 1);
  });

  it('damage twice in a second: no damaged file is overwritten', async () => {
    for (const _ of [1, 2]) {
      overwrite(file, 0, randomBytes(100));
      await (await openIt()).close();
    }
    assert.equal(asideIn(folder.path).length, 2);
  });

  it('a rescue that was interrupted is finished by the next open', async () => {
    // As it is between the two steps: the new one complete, the old one still in place.
    fs.copyFileSync(file, `${file}.salvaged`);
    overwrite(file, 0, randomBytes(100));
    await expectWhole(await openIt());
  });

  it('another window has it open: nothing is moved, and the sentence says what to do', async () => {
    const other = await open(folder.path);
    try {
      overwrite(file, 0, randomBytes(100));
      await assert.rejects(open(folder.path, { busyTimeoutMs: 100 }), (error: unknown) => {
        assert.ok(error instanceof BelayError);
        assert.equal(error.code, 'store');
        assert.match(error.message, /another window has it open.*close the other windows/i);
        return true;
      });
      assert.deepEqual(asideIn(folder.path), []);
    } finally {
      await other.close();
    }
  });

  for (const keep of [0, 20, 32, 33, 4152, 9000, 20_000]) {
    it(`a log torn at ${keep} bytes: the last whole commit is there, nothing is refused, the loss is told`, async () => {
      const left = await killed();
      try {
        const torn = path.join(left.path, 'belay.db-wal');
        fs.truncateSync(torn, Math.min(keep, fs.statSync(torn).size));
        const reopened = await open(left.path);
        const count = (await reopened.transcripts.session('s'))?.messageCount ?? 0;
        const messages = await reopened.transcripts.messages({ sessionId: 's' });
        assert.equal(messages.length, count);
        assert.deepEqual(
          reopened.problems.map((problem) => problem.kind),
          count === 20 ? [] : ['journal_damaged'],
          `${count} messages of 20`,
        );
        await reopened.recorder.commit([
          { kind: 'session', session: session('s') },
          { kind: 'message', message: message('s', count + 1, 'goes on') },
        ]);
        await reopened.close();
      } finally {
        left.remove();
      }
    });
  }

  it('a log with a garbage beginning is kept aside and told', async () => {
    fs.writeFileSync(`${file}-wal`, randomBytes(9000));
    const opened = await openIt();
    assert.equal(opened.problems[0]?.kind, 'journal_damaged');
    const kept = opened.problems[0]?.movedTo?.[0] ?? '';
    assert.equal(fs.statSync(kept).size, 9000);
    assert.equal((await opened.transcripts.session('s'))?.messageCount, MESSAGES);
  });
});

async function fill(folder: string): Promise<void> {
  const store = await open(folder);
  await store.recorder.commit([
    { kind: 'session', session: session('s') },
    { kind: 'session', session: session('other') },
    { kind: 'run', run: run('r', 's', { state: 'completed' }) },
    { kind: 'ledger', entry: call('r', 's', 'c', { state: 'done', result: 'ok' }) },
    { kind: 'message', message: message('other', 1, 'elsewhere') },
  ]);
  const writes = Array.from({ length: MESSAGES }, (_, index) => ({
    kind: 'message' as const,
    message: message('s', index + 1, `message number ${index + 1} ${LONG}`),
  }));
  await store.recorder.commit(writes);
  await store.close();
}

/** What a kill leaves of a store with 20 messages, all of them in the log: a copy of files in use. */
async function killed(): Promise<ReturnType<typeof temporaryFolder>> {
  const live = temporaryFolder();
  const left = temporaryFolder();
  const store = await open(live.path);
  await store.recorder.commit([{ kind: 'session', session: session('s') }]);
  for (let seq = 1; seq <= 20; seq += 1) {
    await store.recorder.commit([{ kind: 'message', message: message('s', seq) }]);
  }
  fs.cpSync(live.path, left.path, { recursive: true });
  await store.close();
  live.remove();
  return left;
}

/** Everything written by `fill` is there, and the store can be used. */
async function expectWhole(store: Store): Promise<void> {
  expectReport(store.problems);
  const messages = await store.transcripts.messages({ sessionId: 's' });
  assert.equal(messages.length, MESSAGES);
  for (const [index, one] of messages.entries()) {
    assert.deepEqual(one, message('s', index + 1, `message number ${index + 1} ${LONG}`));
  }
  assert.equal((await store.runs.ledgerEntry('r', 'c'))?.result, 'ok');
  assert.equal((await store.transcripts.search('number 77', 1)).hits[0]?.messageSeq, 77);
  await expectUsable(store, MESSAGES + 1);
}

async function expectUsable(store: Store, nextSeq: number): Promise<void> {
  const id = store.ids.next('message');
  await store.recorder.commit([
    { kind: 'message', message: { ...message('s', nextSeq, 'goes on'), id } },
  ]);
  assert.equal((await store.transcripts.messages({ sessionId: 's', limit: 1 }))[0]?.seq, nextSeq);
}

/** The person is told what was kept and where the old file is; the file is there, unchanged. */
function expectReport(problems: readonly StoreProblem[]): void {
  assert.equal(problems.length, 1);
  const [problem] = problems;
  assert.equal(problem?.kind, 'salvaged');
  assert.match(problem.message, /rescued/);
  for (const moved of problem.movedTo ?? []) {
    assert.ok(fs.existsSync(moved), moved);
    assert.match(path.basename(moved), /^belay\.db\.damaged-\d{4}-\d\d-\d\dT/);
  }
}

function asideIn(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.includes('.damaged-') && !/-(wal|shm)$/.test(name));
}

function randomBytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, bytes, 0, bytes.length, at);
  fs.closeSync(descriptor);
}

/** A leaf of a table or an index that holds the text; pages are counted from 0. */
function pageOf(file: string, name: string, text: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .all(name)
    .map((row) => Number(row['pageno']) - 1);
  database.close();
  const content = fs.readFileSync(file);
  const found = pages.find((page) =>
    content.subarray(page * 4096, page * 4096 + 4096).includes(text),
  );
  assert.ok(found !== undefined, `no page of ${name} holds ${text}`);
  return found;
}

function backUp(folder: string): void {
  fs.mkdirSync(path.join(folder, 'backups'));
  fs.copyFileSync(
    path.join(folder, 'belay.db'),
    path.join(folder, 'backups', 'belay-daily-2026-11-20T00-00-00.db'),
  );
}

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readMarks, renewMark } from '../../../src/store/database/write-mark.ts';
import { OtherProcess } from '../../contract/store/other-process.ts';
import { message, open, PATIENCE, session, temporaryFolder } from '../../contract/store/support.ts';

describe('store: a data folder that was put back or stripped', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let data: string;
  let user: string;

  const openIt = async () => open(data, { person: { folder: user, name: 'work' } });
  const inData = (name: string): string => path.join(data, name);

  /** Writes messages, and leaves the files as a kill leaves them. */
  async function write(count: number): Promise<void> {
    const store = await openIt();
    const from = (await store.transcripts.session('s'))?.messageCount ?? 0;
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    for (let seq = from + 1; seq <= from + count; seq += 1)
      await store.recorder.commit([{ kind: 'message', message: message('s', seq) }]);
    const copies = [data, user].map((from) => ({ from, to: `${from}-kept` }));
    for (const { from, to } of copies) fs.cpSync(from, to, { recursive: true });
    await store.close();
    for (const { from, to } of copies) putBack(from, to);
  }

  function putBack(place: string, copy: string): void {
    fs.rmSync(place, { recursive: true });
    fs.cpSync(copy, place, { recursive: true });
    fs.rmSync(copy, { recursive: true });
  }

  /** Opens the store, and gives what it reports as lost. */
  async function losses(): Promise<string> {
    const store = await openIt();
    const said = store.problems.map(({ message: text }) => text).join(' ');
    assert.equal(store.lost, said !== '');
    await store.acknowledgeLoss();
    await store.close();
    const again = await openIt();
    assert.deepEqual([again.problems, again.lost], [[], false], 'it is reported once');
    await again.close();
    return said;
  }

  beforeEach(() => {
    folder = temporaryFolder();
    [data, user] = [path.join(folder.path, 'data'), path.join(folder.path, 'user')];
  });
  afterEach(() => folder.remove());

  it('is reported when log and mark are gone, also where no other mark is known', async () => {
    await write(20);
    for (const name of ['belay.db-wal', 'belay.db-shm', 'belay.written']) fs.rmSync(inData(name));
    fs.rmSync(user, { recursive: true });
    assert.match(await losses(), /belay\.written, which says how far.* is missing, unreadable/u);
  });

  it('is reported when the mark is unreadable or an earlier one', async () => {
    await write(20);
    fs.writeFileSync(inData('belay.written'), 'x'.repeat(3000));
    assert.match(await losses(), /is missing, unreadable or older/u);
    await write(20);
    const mark = { mark: inData('belay.written') };
    const [newest] = readMarks(mark).toSorted((one, other) => other.count - one.count);
    assert.ok(newest !== undefined);
    renewMark(mark, 1, { ...newest, count: newest.count - 10 });
    assert.match(await losses(), /is missing, unreadable or older/u);
  });

  it('is reported when the whole folder is an earlier copy, by the mark in the user folder', async () => {
    await write(5);
    const earlier = path.join(folder.path, 'earlier');
    fs.cpSync(data, earlier, { recursive: true });
    await write(20);
    putBack(data, earlier);
    assert.match(await losses(), /belay\.db is an earlier copy\./u);
  });

  it('holds queued messages and follow-ups of a lossy database until the next message', async () => {
    const store = await openIt();
    const queued = {
      position: 0,
      text: 'next',
      attachments: [],
      mode: 'queue',
      createdAt: 1,
    } as const;
    await store.recorder.commit(
      ['a', 'b', 'c'].map((id) => ({ kind: 'session', session: session(id) })),
    );
    await store.recorder.commit([
      { kind: 'queued', queued: { ...queued, id: 'q', sessionId: 'a' } },
    ]);
    await store.followUps.add({ id: 'f', sessionId: 'b', prompt: 'later', dueAt: 5, createdAt: 1 });
    await store.close();
    fs.rmSync(inData('belay.written'));
    const again = await openIt();
    const held = ['a', 'b', 'c'].map(async (id) => (await again.values.get('held', id)) === true);
    assert.deepEqual(await Promise.all(held), [true, true, false]);
    await again.close();
  });

  it('is not suspected after kills, a clean close, or work of a Belay that kept no count', async () => {
    for (let kills = 0; kills < 3; kills += 1) {
      const other = await OtherProcess.start(data, user);
      assert.deepEqual(await other.problems(), []);
      await other.ask('recorder', 'commit', [{ kind: 'session', session: session(`k${kills}`) }]);
      await other.kill();
    }
    await write(3);
    assert.equal(await losses(), '');
    const database = new DatabaseSync(inData('belay.db'));
    database.exec("DELETE FROM meta WHERE key IN ('database', 'commits')");
    database.close();
    fs.rmSync(inData('belay.written'));
    assert.equal(await losses(), '');
  });
});

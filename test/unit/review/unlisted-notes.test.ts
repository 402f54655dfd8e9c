import assert from 'node:assert/strict';
import path from 'node:path';
import { UnlistedNotes } from '../../../src/core/review/storage/unlisted-notes.ts';
import type { NotListed } from '../../../src/core/review/storage/unlisted-notes.ts';
import type { SharedValues } from '../../../src/core/ports/store/shared-values.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../../contract/store/support.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const note = (callId: string, paths: readonly string[] = [`/w/${callId}`]): NotListed => ({
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'npm install',
  paths,
  total: paths.length + 1,
});

describe('what commands changed and cannot be reviewed', function () {
  this.timeout(60_000);

  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Store[];
  let first: UnlistedNotes;
  let second: UnlistedNotes;

  beforeEach(async () => {
    folder = temporaryFolder();
    stores = [
      await open(path.join(folder.path, 'store')),
      await open(path.join(folder.path, 'store')),
    ];
    [first, second] = stores.map(({ values }) => new UnlistedNotes(values, silentLog)) as [
      UnlistedNotes,
      UnlistedNotes,
    ];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    folder.remove();
  });
  const ids = (notes: UnlistedNotes) => notes.all.map(({ callId }) => callId);

  it('is there after a restart, and in the other window, until the person has seen it', async () => {
    first.add(note('1'));
    second.add(note('2'));
    await Promise.all([first.flush(), second.flush()]);
    let told = 0;
    first.onChange(() => (told += 1));
    for (const one of [first, second]) {
      await one.load();
      assert.deepEqual(ids(one).toSorted(), ['1', '2']);
    }
    await first.load();
    assert.equal(told, 1);
    // Dismissed is what was seen, not what the other window notes in that moment.
    second.add(note('3'));
    first.dismiss();
    assert.deepEqual(first.all, []);
    await Promise.all([first.flush(), second.flush()]);
    await first.load();
    assert.deepEqual(first.all, [note('3')]);
    first.dismiss();
    await first.flush();
    assert.equal(await stores[1]!.values.get('review-unlisted'), undefined);
  });

  it('is bounded: twenty notes, a thousand paths, and how many there were', async () => {
    for (let count = 1; count <= 25; count += 1) first.add(note(String(count)));
    const many = Array.from({ length: 200 }, (_, index) => `/w/${index}`);
    for (const callId of ['a', 'b', 'c', 'd', 'e', 'f']) first.add(note(callId, many));
    await first.flush();
    await second.load();
    assert.equal(second.all.length, 20);
    const paths = second.all.map((one) => one.paths.length);
    assert.equal(
      paths.reduce((sum, one) => sum + one, 0),
      1000,
    );
    assert.deepEqual(paths.slice(-6), [0, 200, 200, 200, 200, 200]);
    assert.equal(second.all.at(-6)?.total, 201);
    const before = second.all.reduce((sum, { total }) => sum + total, 0);
    assert.equal(before, 25 * 2 + 6 * 201);
    assert.equal(second.all[0]?.total, 2 + 11 * 2, 'the oldest stands for those before it');
    const long = `/w/${'x'.repeat(4000)}`;
    const extra = note(
      'long',
      Array.from({ length: 200 }, (_, index) => `${long}${index}`),
    );
    first.add(extra);
    await first.flush();
    await second.load();
    assert.equal(second.all.at(-1)?.paths.length, 124);
    const after = second.all.reduce((sum, { total }) => sum + total, 0);
    assert.equal(after, before + extra.total, 'none is left out of the number');
    assert.ok(JSON.stringify(await stores[0]!.values.get('review-unlisted')).length < 1_000_000);
  });

  it('of one command in the background each file is on one note, once', async () => {
    const one = (path: string): NotListed => ({ ...note('watch', [path]), total: 1, during: true });
    for (const path of ['/w/a', '/w/b', '/w/a', '/w/c']) first.add(one(path));
    await first.flush();
    await second.load();
    assert.deepEqual(second.all, [{ ...one('/w/a'), paths: ['/w/a', '/w/b', '/w/c'], total: 3 }]);
    second.dismiss();
    first.add(one('/w/d'));
    await Promise.all([first.flush(), second.flush()]);
    await second.load();
    assert.equal(second.all.at(-1)?.paths.at(-1), '/w/d', 'more than what was seen');
  });

  it('of another form is nothing', async () => {
    const stored = (more: object): JsonObject => ({ ...note('1'), paths: ['/w/1'], ...more });
    await stores[0]!.values.set('review-unlisted', [
      { callId: '1' },
      7,
      null,
      ...['sessionId', 'messageId', 'callId', 'tool', 'total'].map((key) =>
        stored({ [key]: null }),
      ),
      stored({ paths: '/w/1' }),
      stored({ callId: '2', paths: ['/w/2', 7], during: 1, dropped: 1 }),
    ]);
    await first.load();
    assert.deepEqual(first.all, [note('2')]);
    await stores[0]!.values.set('review-unlisted', 'none');
    await first.load();
    assert.deepEqual(first.all, []);
  });

  it('says of a file that is kept aside no longer that it is one', async () => {
    first.addDropped('/w/a');
    await first.load();
    assert.equal(first.all.length, 1, 'a look at the store waits for what is not there yet');
    await second.load();
    assert.deepEqual(
      second.all.map(({ paths, total, dropped, during }) => [paths, total, dropped, during]),
      [[['/w/a'], 1, true, undefined]],
    );
  });

  it('of one call again: more files, or more that are not named, once', async () => {
    first.add({ ...note('1', ['/w/a']), total: 3 });
    first.add({ ...note('1', ['/w/a']), total: 3 });
    assert.equal(first.all[0]?.total, 3, 'the same again');
    first.add({ ...note('1', ['/w/a']), total: 4 });
    assert.equal(first.all[0]?.total, 6, 'others, of which one is known');
    first.add({ ...note('1', ['/w/a']), sessionId: 'other' });
    assert.equal(first.all.length, 2);
    await first.flush();
    second.add({ ...note('1', ['/w/b']), sessionId: 'other' });
    await second.flush();
    first.dismiss();
    await first.flush();
    await first.load();
    assert.deepEqual(
      first.all.map(({ sessionId, total }) => [sessionId, total]),
      [['other', 4]],
    );
  });

  it('paths of exactly as many characters as there is room for are all kept', async () => {
    const long = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(5000, '/'));
    first.add(note('1', long));
    assert.equal(first.all[0]?.paths.length, 100);
    first.add(note('2', ['x']));
    assert.deepEqual(
      first.all.map(({ paths }) => paths.length),
      [99, 1],
    );
  });

  it('is stored though other windows are faster for a while; a store that fails is told in the log', async () => {
    let [left, warned] = [4, 0];
    const { values } = stores[0]!;
    const busy: SharedValues = {
      get: (key) => values.get(key),
      list: (prefix) => values.list(prefix),
      set: (key, value) => values.set(key, value),
      swap: async (...change) => (left -= 1) < 0 && values.swap(...change),
    };
    const notes = new UnlistedNotes(busy, { ...silentLog, warn: () => void (warned += 1) });
    let told = 0;
    const listening = notes.onChange(() => (told += 1));
    notes.add(note('1'));
    await notes.flush();
    listening.dispose();
    await second.load();
    assert.deepEqual([ids(second), warned], [['1'], 0]);
    left = 5;
    notes.add(note('2'));
    await notes.flush();
    await second.load();
    assert.deepEqual([ids(second), left, told], [['1'], 0, 1], 'after five times nobody waits on');
    Object.assign(busy, { swap: () => Promise.reject(new Error('The disk is full.')) });
    notes.add(note('3'));
    await notes.flush();
    assert.equal(warned, 1);
    assert.deepEqual(ids(notes), ['1', '2', '3'], 'this window tells it all the same');
  });
});

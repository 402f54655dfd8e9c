import assert from 'node:assert/strict';
import path from 'node:path';
import { UnlistedNotes } from '../../../src/core/review/storage/unlisted-notes.ts';
import type { NotListed } from '../../../src/core/review/storage/unlisted-notes.ts';
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
    await stores[0]!.values.set('review-unlisted', [
      { callId: '1' },
      7,
      { ...note('2'), paths: [] },
    ]);
    await first.load();
    assert.deepEqual(ids(first), ['2']);
  });
});

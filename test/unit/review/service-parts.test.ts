import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ABSENT, newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import { UndoneAcceptances } from '../../../src/core/review/service/decisions/undone-acceptances.ts';
import { PersonEdits } from '../../../src/core/review/service/edits/person-edits.ts';
import { hashOf } from '../../../src/core/review/service/file-bytes.ts';
import { LaterSaves } from '../../../src/core/review/service/later-saves.ts';
import { ReviewDisk } from '../../../src/core/review/service/review-disk.ts';
import { ReviewMap } from '../../../src/core/review/service/review-map.ts';
import { Turns } from '../../../src/core/review/service/turns.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

describe('turns', () => {
  it('are one after the other for one thing, however one ends, and side by side for others', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = turns.take('a', async () => {
      await held.promise;
      done.push('first');
      throw new Error('It failed.');
    });
    const last = Promise.withResolvers<void>();
    const second = turns.take('a', async () => {
      await last.promise;
      return done.push('second');
    });
    await turns.take('b', async () => done.push('other'));
    assert.deepEqual(done, ['other']);
    held.resolve();
    await assert.rejects(first, /It failed/u);
    setImmediate(() => last.resolve());
    const third = turns.take('a', async () => done.push('third'));
    assert.deepEqual(await Promise.all([second, third]), [3, 4]);
    assert.deepEqual(done, ['other', 'first', 'second', 'third']);
  });
});

describe('saves that nobody waits for', () => {
  it('are due once, and not after they were cancelled or all is over', async () => {
    const clock = new FakeClock();
    const saved: string[] = [];
    const saves = new LaterSaves(clock, async (path) => void saved.push(path));
    saves.soon('a', 10);
    saves.soon('a', 20);
    saves.soon('b', 20);
    saves.cancel('b');
    assert.deepEqual([saves.due, clock.pending], [['a'], 1]);
    await clock.advance(10);
    assert.deepEqual(saved, []);
    await clock.advance(10);
    assert.deepEqual([saved, saves.running], [['a'], []]);
    const held = Promise.withResolvers<void>();
    saves.follow(held.promise);
    assert.deepEqual(saves.running, [held.promise]);
    held.resolve();
    await clock.advance(0);
    assert.deepEqual(saves.running, []);
    saves.soon('c', 20);
    saves.dispose();
    assert.deepEqual([saves.due.includes('c'), clock.pending], [false, 0]);
  });
});

describe('what is known of files', () => {
  it('the last 5,000 that the person changed', () => {
    const edits = new PersonEdits();
    const since = (path: string): boolean => edits.since(path, 0);
    for (let index = 0; index < 5000; index += 1) edits.touched(`${index}`);
    assert.equal(since('0'), true);
    edits.touched('1');
    edits.touched('5000');
    assert.deepEqual(['0', '1', '2', '5000'].map(since), [false, true, true, true]);
    edits.touched('5001');
    assert.deepEqual(['1', '2'].map(since), [true, false]);
  });

  it('the last 50 of which nothing is pending, and all others', () => {
    const map = new ReviewMap();
    const pending = { ...newReview('pending', ABSENT), document: textContent('one') };
    map.set('pending', pending);
    for (let index = 0; index < 50; index += 1) map.set(`${index}`, newReview(`${index}`, ABSENT));
    assert.equal(map.files.has('0'), true);
    map.set('0', newReview('0', ABSENT));
    map.set('50', newReview('50', ABSENT));
    const has = ['pending', '0', '1', '2', '50'].map((path) => map.files.has(path));
    assert.deepEqual(has, [true, true, false, true, true]);
  });
});

describe('acceptances that may be undone', () => {
  it('are the last 20 of a file', () => {
    const undone = new UndoneAcceptances();
    for (let index = 0; index <= 20; index += 1)
      undone.accepted('a', newReview('a', textContent(`${index}`)), textContent('accepted'));
    const undo = (index: number) => undone.turned('a', textContent(`${index}`))?.review.baseline;
    assert.deepEqual([undo(0), undo(1)], [undefined, textContent('1')]);
    undone.moved('a', 'b');
    assert.deepEqual(
      ['a', 'b'].map((path) => undone.has(path)),
      [false, true],
    );
  });
});

describe('reviews by path', () => {
  it('are known by one name each, and every name is told that something is at, or was', () => {
    const map = new ReviewMap();
    const told: string[] = [];
    map.onChange((path) => told.push(path));
    const isNow = (paths: readonly string[], names: readonly string[]): void => {
      assert.deepEqual([[...map.files.keys()], told.splice(0).toSorted()], [paths, names]);
    };
    map.set('a', newReview('a', ABSENT));
    isNow(['a'], ['a']);
    map.foreign.set('a', newReview('a', ABSENT));
    map.decidedElsewhere.add('b');
    map.set('a', newReview('b', ABSENT));
    isNow(['b'], ['a', 'b']);
    assert.deepEqual([map.foreign.size, map.decidedElsewhere.size], [0, 0]);
    map.replace('b', 'a', newReview('a', ABSENT));
    isNow(['a'], ['a', 'b']);
    map.replace('a', 'a', newReview('a', ABSENT));
    isNow(['a'], ['a', 'a']);
    map.replace('a', 'a', undefined);
    isNow([], ['a']);
    map.dispose();
    map.set('a', newReview('a', ABSENT));
    isNow(['a'], []);
  });
});

describe('the files behind reviews', () => {
  let files: MemoryFiles;
  let disk: ReviewDisk;
  beforeEach(() => {
    files = new MemoryFiles();
    files.put('/a', 'one\n');
    disk = new ReviewDisk({ files });
  });
  const statAs = (more: object): void => {
    const stat = files.stat.bind(files);
    files.stat = async (path) => {
      const found = await stat(path);
      return found && { ...found, ...more };
    };
  };

  it('are known by the hash that their bytes have everywhere', async () => {
    const bytes = new Uint8Array([0, 1, 2, 250]);
    assert.equal(await hashOf(bytes), createHash('sha256').update(bytes).digest('hex'));
  });

  it('up to 100 MB are read, larger ones known by size and time', async () => {
    const size = 100 * 1024 * 1024;
    statAs({ size, modifiedAt: 7 });
    assert.deepEqual((await disk.now('/a')).content, textContent('one\n'));
    statAs({ size: size + 1, modifiedAt: 7 });
    const content = { kind: 'binary', hash: `${size + 1}-7`, bytes: size + 1 };
    assert.deepEqual(await disk.now('/a'), { content });
    // What its lines are nobody knows: none of them is written.
    const edit = { from: 0, to: 1, lines: ['two'] };
    await assert.rejects(
      disk.changeLines('/a', { ...content, kind: 'binary' }, [edit]),
      /\/a was changed by something else/u,
    );
    assert.equal(files.text('/a'), 'one\n');
  });

  it('are files: one with a folder or anything else in its place is gone', async () => {
    for (const type of ['directory', 'other'] as const) {
      statAs({ type });
      assert.deepEqual(await disk.now('/a'), { content: ABSENT });
    }
  });

  it('have one name where the system minds no case, if both are not there', async () => {
    files.put('/Folder/b', 'two\n');
    assert.equal(await disk.isCaseOf('/a', '/A'), true);
    assert.equal(await disk.isCaseOf('/folder/b', '/Folder/b'), true);
    assert.equal(await disk.isCaseOf('/a', '/a'), false);
    assert.equal(await disk.isCaseOf('/a', '/b'), false);
    files.put('/A', 'other\n');
    assert.equal(await disk.isCaseOf('/a', '/A'), false);
  });

  it('are made, put back and renamed only where nothing else is', async () => {
    const text = textContent('new\n');
    const bytes = new Uint8Array([110]);
    for (const put of [
      (seen: typeof text) => disk.create('/a', text, { seen }),
      (seen: typeof text) => disk.make('/a', bytes, { seen }),
    ]) {
      await assert.rejects(put(ABSENT), /Something is at \/a/u);
      await assert.rejects(put(text), /\/a was changed by something else/u);
    }
    await assert.rejects(disk.create('/a', text), /Something is at \/a/u);
    assert.equal(files.text('/a'), 'one\n');
    files.put('/b', 'two\n');
    await assert.rejects(disk.rename('/a', '/b'), /\/a cannot become \/b/u);
    // It has that name already, as after a crash.
    await disk.rename('/c', '/b');
    assert.deepEqual([files.text('/a'), files.text('/b')], ['one\n', 'two\n']);
    await assert.rejects(disk.rename('/c', '/d'), { code: 'not_found' });
    const kept = { hash: 'h', bytes: 1, mode: 0o644 };
    for (const before of [{}, { kept }])
      await assert.rejects(disk.restore('/a', 'h', before), { message: /is not kept/u });
  });

  it('are not written over when they change in the moment of writing', async () => {
    const write = files.write.bind(files);
    files.write = async (path, content, options) => {
      assert.equal(options?.exact, true, 'nothing is made of the bytes');
      files.put(path, 'mine\n');
      return write(path, content, options);
    };
    const [seen, text] = [textContent('one\n'), textContent('new\n')];
    const changed = { code: 'invalid', message: /was changed by somebody else/u };
    await assert.rejects(disk.create('/a', text, { seen }), changed);
    files.put('/a', 'one\n');
    await assert.rejects(disk.make('/a', new Uint8Array([110]), { seen }), changed);
    files.put('/a', 'one\n');
    await assert.rejects(disk.changeLines('/a', seen, [{ from: 0, to: 1, lines: [] }]), changed);
    await assert.rejects(disk.create('/n', text), changed);
    await assert.rejects(disk.make('/m', new Uint8Array([110]), { seen: ABSENT }), changed);
    assert.deepEqual(
      ['/a', '/n', '/m'].map((path) => files.text(path)),
      Array(3).fill('mine\n'),
    );
  });
});

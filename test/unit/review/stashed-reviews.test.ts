import assert from 'node:assert/strict';
import type { Json } from '../../../src/domain/data/json.ts';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  ABSENT,
  type Content,
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { StashedReviews } from '../../../src/core/review/storage/stashed-reviews.ts';
import { storedReview } from '../../../src/core/review/storage/stored-review.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';

const BEFORE = 'one\ntwo\nthree\nfour\n';
const edited = (after: string, before = BEFORE, path = '/w/a'): FileReview =>
  agentEdited(newReview(path, textContent(before)), textContent(after), by);
/** Two hunks. */
const TWO = 'ONE\ntwo\nthree\nFOUR\n';
const idOf = (review: FileReview, index: number): string => hunksOf(review)[index]?.id ?? '';

/** Values that take a moment to be stored. */
class SlowValues extends MapValues {
  override async swap(...given: Parameters<MapValues['swap']>): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return super.swap(...given);
  }
}

describe('reviews of contents that a file has not any more', () => {
  let values: MapValues;
  let clock: FakeClock;
  let dropped: string[];
  let warned: number;
  let stash: StashedReviews;
  const open = (): StashedReviews =>
    new StashedReviews({
      values,
      clock,
      log: { ...silentLog, warn: () => void (warned += 1) },
      onDropped: (path) => void dropped.push(path),
    });
  const reopen = async (): Promise<void> => {
    await stash.flush();
    stash = open();
    await stash.load();
  };
  const texts = async (path = '/w/a'): Promise<readonly (string | undefined)[]> =>
    (await stash.of(path)).map(({ review }) => textOf(review.document));
  const keys = async (prefix = 'review-parked:'): Promise<readonly string[]> =>
    (await values.list(prefix)).map(({ key }) => key);

  beforeEach(() => {
    [values, clock, dropped, warned] = [new SlowValues(), new FakeClock(), [], 0];
    stash = open();
  });

  it('each content once, the newest first, also after a restart, until it is forgotten', async () => {
    stash.keep(newReview('/w/a', textContent(BEFORE)));
    assert.equal(stash.has('/w/a'), false, 'nothing is pending in it');
    for (const text of ['x\n', 'y\n', 'z\n']) stash.keep(edited(text));
    stash.keep({ ...edited('x\n'), fileMissing: true });
    stash.keep(edited('other\n', BEFORE, '/w/b'));
    await stash.load();
    for (const open of ['before', 'after'] as const) {
      if (open === 'after') await reopen();
      assert.deepEqual(await texts(), ['x\n', 'z\n', 'y\n'], open);
      assert.deepEqual(stash.paths.toSorted(), ['/w/a', '/w/b']);
      assert.equal(stash.has('/w/b'), true);
      assert.equal(stash.has('/w'), false);
    }
    const [first] = await stash.of('/w/a');
    assert.equal(first?.review.fileMissing, false);
    assert.deepEqual([first?.undecided, first?.left, first?.accepted], [false, undefined, []]);
    const times = (await values.list('review-parked:/w/a')).map(
      ({ value }) => (value as { at: number }).at - clock.now(),
    );
    assert.deepEqual(new Set(times), new Set([1, 2, 3]));
    await stash.forget('/w/a', textContent('never\n'));
    await stash.forget('/w/a', textContent('z\n'));
    assert.deepEqual(await texts(), ['x\n', 'y\n']);
    assert.equal((await keys()).length, 3, 'it is gone from the store, too');
    const aside = edited('y\n');
    const key = (await keys()).find((one) => one.startsWith('review-parked:/w/a')) ?? '';
    await values.set(key.replace('review-parked:', 'review-parked-piece:') + '#0000', null);
    assert.equal((await stash.of('/w/a')).length, 1, 'what cannot be read is none');
    assert.equal((await texts()).length, 1);
    assert.equal(aside.path, '/w/a');
  });

  it('what a file was is kept of all kinds of contents, and what it was made of with it', async () => {
    const kept = { hash: 'k', bytes: 3, mode: 0o755 };
    const binary: Content = { kind: 'binary', hash: 'h', bytes: 5 };
    const made = agentEdited(newReview('/w/a', textContent('x')), binary, by);
    stash.keep({ ...made, kept });
    stash.keep(agentEdited(newReview('/w/b', textContent('x')), ABSENT, by));
    await reopen();
    assert.deepEqual(stash.kept, [kept]);
    assert.deepEqual((await stash.of('/w/a'))[0]?.review.document, binary);
    await stash.forget('/w/a', binary);
    await stash.forget('/w/b', ABSENT);
    assert.deepEqual([stash.paths, await keys('')], [[], []]);
  });

  it('what something else took out of a file is kept, undecided, with what the file holds then', async () => {
    const before = edited(TWO);
    const cases: readonly (readonly [string, FileReview | undefined, boolean])[] = [
      ['the file is another one', newReview('/w/a', textContent('mine\n')), true],
      ['nothing is known of it any more', undefined, true],
      ['it is away for a while', { ...newReview('/w/a', ABSENT), fileMissing: true }, false],
      ['the person accepted them', newReview('/w/a', before.document), false],
      ['one of them is left', edited('ONE\ntwo\nthree\nfour\n'), true],
      ['both are left', edited('ONE\ntwo\nand more\nthree\nFOUR\n'), false],
    ];
    for (const [name, after, isKept] of cases) {
      stash = open();
      stash.changed(before, after);
      assert.equal(stash.has('/w/a'), isKept, name);
      if (!isKept) continue;
      await reopen();
      const [aside] = await stash.of('/w/a');
      assert.equal(aside?.undecided, true, name);
      assert.deepEqual(aside?.left, after?.document, name);
      await stash.forget('/w/a', before.document);
    }
    stash.changed(undefined, before);
    stash.changed(newReview('/w/a', textContent('x')), undefined);
    assert.equal(stash.has('/w/a'), false, 'nothing was pending');
  });

  it('a hunk of which a formatter left a line, put in or taken away, is not lost; a blank line is none', () => {
    const isKept = (before: FileReview, after: FileReview): boolean => {
      stash = open();
      stash.changed(before, after);
      return stash.has('/w/a');
    };
    assert.equal(isKept(edited('a\nb\n'), edited('a\nb;\n')), false);
    assert.equal(isKept(edited('a\n\n'), edited('c\n\n', 'other\n')), true);
    const taken = edited('one\nthree\nfour\n');
    assert.equal(isKept(taken, edited('one\nthree;\nfour\n', 'one\ntwo\nthree\nfour\n')), false);
    assert.equal(isKept(edited('x\n', 'old\n'), edited('y\n', 'older\n')), true);
  });

  it('accepted lines do not come back: with all of them the state goes, else it remembers them', async () => {
    const both = edited(TWO);
    stash.keep(both);
    await stash.accepted(both, [idOf(both, 0)]);
    assert.deepEqual((await stash.of('/w/a'))[0]?.accepted, [{ old: ['one'], new: ['ONE'] }]);
    await reopen();
    await stash.accepted(both, [idOf(both, 1)]);
    assert.equal(stash.has('/w/a'), false, 'nothing is left');
    assert.deepEqual(await keys(''), []);
    // All of this very content, though its lines were others when it was kept.
    stash.keep(agentEdited(newReview('/w/a', textContent('before\n')), both.document, by));
    await stash.accepted(both, [idOf(both, 0), idOf(both, 1)]);
    assert.equal(stash.has('/w/a'), true, 'hunks, and not all of it');
    await stash.accepted(both, 'all');
    assert.equal(stash.has('/w/a'), false);
    // Another content: its other lines may come back.
    stash.keep(edited('ONE\nTWO\nthree\nfour\n'));
    await stash.accepted(edited('ONE\ntwo\nthree\nfour\n'), 'all');
    assert.equal(stash.has('/w/a'), true);
    const deleted = agentEdited(newReview('/w/b', textContent('b\n')), ABSENT, by);
    stash.keep({ ...deleted, baseline: textContent('other\n') });
    await stash.accepted(deleted, [idOf(deleted, 0)]);
    assert.equal(stash.has('/w/b'), false, 'a file as a whole');
  });

  it('what came back undecided and is rejected then comes back as a rejected change only', async () => {
    const both = edited(TWO);
    stash.changed(both, newReview('/w/a', textContent(BEFORE)));
    const undecided = async (): Promise<unknown> => (await stash.of('/w/a'))[0]?.undecided;
    await stash.rejected(both, [idOf(both, 0)]);
    assert.equal(await undecided(), true, 'one is left');
    await stash.rejected(both, 'all');
    const other = open();
    await other.load();
    assert.equal((await other.of('/w/a'))[0]?.undecided, false, 'it is on disk');
    assert.equal(await undecided(), false);
    assert.equal((await stash.of('/w/a'))[0]?.left, undefined);
    const stored = JSON.stringify(await values.list(''));
    await stash.rejected(both, 'all');
    assert.equal(JSON.stringify(await values.list('')), stored, 'nothing is to be stored again');
  });

  it('what the person made of the file since is known to who asks then; what is kept meanwhile, or goes, is left alone', async () => {
    const left = textContent(BEFORE);
    stash.keep(edited(TWO), { undecided: true, left });
    stash.typed('/w/a', textContent('typed\n'));
    stash.keep(edited('x\n'), { undecided: true, left });
    const known = async () =>
      (await stash.of('/w/a')).map((one) => [one.left && textOf(one.left), one.typed]);
    const expected = [
      [BEFORE, false],
      ['typed\n', true],
    ];
    assert.deepEqual(await known(), expected);
    await reopen();
    assert.deepEqual(await known(), expected);
    for (let turns = 0; turns < 20; turns += 1) {
      stash.keep(edited('y\n'));
      await stash.flush();
      stash.typed('/w/a', textContent('more\n'));
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await stash.forget('/w/a', textContent('y\n'));
      await reopen();
      assert.deepEqual(await texts(), ['x\n', TWO]);
    }
  });

  it('decisions are about what another window kept, too', async () => {
    const other = open();
    const both = edited(TWO);
    other.changed(both, undefined);
    other.keep(edited('x\n', BEFORE, '/w/a#b'));
    await other.flush();
    await stash.rejected(both, 'all');
    assert.deepEqual(stash.paths, ['/w/a']);
    await other.load();
    assert.equal((await other.of('/w/a'))[0]?.undecided, false);
    await stash.accepted(both, 'all');
    assert.equal((await other.of('/w/a')).length, 0);
    assert.equal(other.has('/w/a'), false);
    const third = open();
    await third.load();
    await third.forget('/w/a#b', textContent('x\n'));
    await other.load();
    assert.deepEqual(other.paths, []);
    // Rejected once more, and not stored yet, when something of it is accepted.
    stash.changed(both, undefined);
    await stash.flush();
    stash.keep(both);
    await stash.accepted(both, [idOf(both, 0)]);
    assert.equal((await stash.of('/w/a'))[0]?.undecided, false);
  });

  it('of what is too much or too old the oldest goes, and of what is undecided it is told', async () => {
    const now = clock.now();
    const day = 24 * 60 * 60 * 1000;
    const head = (path: string, more: object = {}) => ({
      version: 2,
      path,
      at: now,
      characters: 1,
      pieces: [],
      undecided: true,
      ...more,
    });
    const loaded = async (heads: readonly object[]): Promise<void> => {
      [values, dropped] = [new MapValues(), []];
      for (const [index, value] of heads.entries())
        await values.set(`review-parked:${index}`, JSON.parse(JSON.stringify(value)) as Json);
      stash = open();
      await stash.load();
      await stash.flush();
    };
    await loaded([head('old', { at: now - 30 * day - 1 }), head('new', { at: now - 30 * day })]);
    assert.deepEqual([stash.paths, dropped, (await keys()).length], [['new'], ['old'], 1]);
    const sizes = [15_000_000, 15_000_000, 0];
    await loaded(sizes.map((characters, at) => head(`${at}`, { characters, at: now - at })));
    assert.deepEqual([stash.paths.length, dropped], [3, []]);
    await loaded(sizes.map((size, at) => head(`${at}`, { characters: size + at, at: now - at })));
    assert.deepEqual([stash.paths, dropped], [['0'], ['1', '2']]);
    const many = Array.from({ length: 501 }, (_, at) =>
      head(`${at}`, { at: now - at, undecided: at < 500 ? true : undefined }),
    );
    await loaded(many);
    assert.deepEqual([stash.paths.length, dropped], [500, []], 'a rejected one goes silently');
    await loaded(Array.from({ length: 9 }, (_, at) => head('a', { at: now - at })));
    assert.deepEqual([(await keys()).length, dropped], [8, ['a']]);
    stash.keep(edited('x\n', BEFORE, 'a'));
    await stash.flush();
    assert.deepEqual([(await keys()).length, dropped], [8, ['a', 'a']]);
    await loaded([
      head('1', { version: 1 }),
      head('2', { at: 'now' }),
      head('3', { characters: 'few' }),
      { ...head('4'), path: 7 },
      head('5', { kept: { hash: 'k', bytes: 1, mode: 2 } }),
      head('6', { kept: { hash: 1, bytes: 1, mode: 2 } }),
      head('7', { kept: { hash: 'k', mode: 2 } }),
      head('8', { kept: { hash: 'k', bytes: 1 } }),
    ]);
    assert.deepEqual(stash.paths, ['5', '6', '7', '8'], 'of another version it is left alone');
    assert.deepEqual(stash.kept, [{ hash: 'k', bytes: 1, mode: 2 }]);
    assert.equal((await keys()).length, 8);
  });

  it('all of a state is stored, or nothing; what another window stored in that moment is followed', async () => {
    const large = `${'x'.repeat(200_000)}\n`;
    stash.keep(edited('same\n', large));
    await stash.flush();
    assert.equal((await keys('review-parked-piece:')).length, 2);
    stash.keep(edited('same\n'));
    await stash.flush();
    assert.equal((await keys('review-parked-piece:')).length, 1, 'of the same content, smaller');
    let times = 0;
    const swap = values.swap.bind(values);
    Object.assign(values, {
      swap: async (...given: Parameters<MapValues['swap']>) =>
        (times += 1) > 2 && (await swap(...given)),
    });
    stash.keep(edited('again\n'));
    await stash.flush();
    assert.deepEqual([times, (await keys()).length, warned], [3, 2, 0]);
    Object.assign(values, { swap: () => Promise.reject(new Error('The disk is full.')) });
    stash.keep(edited('lost\n'));
    await stash.flush();
    assert.equal(warned, 1);
    assert.deepEqual(await texts(), ['again\n', 'same\n']);
  });

  it('of what is stored in a strange form the lines that can be read are taken', async () => {
    const review = edited(TWO);
    const text = JSON.stringify({
      review: storedReview(review),
      accepted: [[['one', 1], ['ONE']], 'none', [[], 7]],
      left: { kind: 'absent' },
    });
    await values.set('review-parked:/w/a#1', {
      version: 2,
      path: '/w/a',
      at: clock.now(),
      characters: 1,
      pieces: ['p'],
    });
    await values.set('p', text);
    await stash.load();
    const [aside] = await stash.of('/w/a');
    assert.deepEqual(aside?.accepted, [
      { old: ['one'], new: ['ONE'] },
      { old: [], new: [] },
      { old: [], new: [] },
    ]);
    assert.deepEqual([aside?.left, aside?.undecided], [ABSENT, false]);
    await values.set('p', text.replace('"version":1', '"version":99'));
    assert.deepEqual(await stash.of('/w/a'), []);
  });
});

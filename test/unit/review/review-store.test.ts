import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/data/json.ts';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  ABSENT,
  type Content,
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { ReviewStore } from '../../../src/core/review/storage/review-store.ts';
import { reviewFrom, storedReview } from '../../../src/core/review/storage/stored-review.ts';
import { MapValues } from '../../support/map-values.ts';
import { by } from '../../support/review/attribution.ts';

const PATH = '/w/a';
const edited = (after: string, before = '1\n2'): FileReview =>
  agentEdited(newReview(PATH, textContent(before)), textContent(after), by);
const LARGE = 'x'.repeat(200_000);

describe('reviews that windows store one after the other', () => {
  let values: MapValues;
  let first: ReviewStore;
  let second: ReviewStore;
  const open = (writer: string): ReviewStore => new ReviewStore(values, writer);
  const document = (review: FileReview | undefined): string | undefined =>
    review === undefined ? undefined : textOf(review.document);
  const keys = async (): Promise<readonly string[]> =>
    (await values.list('')).map(({ key }) => key);

  beforeEach(() => {
    values = new MapValues();
    [first, second] = [open('1'), open('2')];
  });

  it('each changes what it knows the newest state of, and hears of what others changed', async () => {
    assert.equal(await first.save(edited('x')), true);
    assert.equal(first.isForeign(PATH), false);
    assert.equal(second.isForeign(PATH), false, 'nothing is known of it');
    assert.equal(await second.save(edited('y')), false);
    assert.deepEqual(await second.changedElsewhere(), [PATH]);
    assert.equal(document((await second.newest(PATH))?.review), 'x');
    assert.equal(second.isForeign(PATH), true);
    assert.deepEqual([await second.changedElsewhere(), await second.newest(PATH)], [[], undefined]);
    assert.equal(await second.save(edited('y')), true);
    assert.equal(await first.save(edited('z')), false);
    assert.equal(await first.remove(PATH), false);
    assert.equal(document(await first.read(PATH)), 'y');
    assert.equal(await first.remove(PATH), true);
    assert.deepEqual(await keys(), []);
    assert.deepEqual(await second.changedElsewhere(), [PATH]);
    assert.deepEqual(await second.newest(PATH), { path: PATH, review: undefined });
    assert.equal(await second.newest(PATH), undefined);
    assert.equal(await open('1').newest('/w/never'), undefined);
  });

  it('what is its own is no news, and what was never stored is not taken away', async () => {
    await first.save(edited('x'));
    const same = open('1');
    assert.equal(await same.newest(PATH), undefined);
    assert.deepEqual(await same.changedElsewhere(), []);
    await same.read('/w/never');
    assert.equal(await same.remove('/w/never'), true);
  });

  it('large ones are in pieces, of which none is left, in every window', async () => {
    assert.equal(await first.save(edited(`${LARGE}\n2`)), true);
    assert.equal((await values.list('review-piece:')).length, 2);
    const { reviews, unreadable } = await second.load();
    assert.deepEqual([reviews.map(document), unreadable], [[`${LARGE}\n2`], []]);
    for (const text of ['x', `${LARGE}\n2`, 'x']) {
      assert.equal(await second.save(edited(text)), true);
      assert.equal((await values.list('review-piece:')).length, text === 'x' ? 0 : 2);
    }
    await second.save(edited(`${LARGE}\n2`));
    const third = open('3');
    assert.equal(document(await third.read(PATH)), `${LARGE}\n2`);
    for (const window of [second, third]) {
      await window.read(PATH);
      assert.equal(await window.save(edited('x')), true);
      assert.deepEqual(await values.list('review-piece:'), []);
      await window.save(edited(`${LARGE}\n2`));
    }
    await values.set((await values.list('review-piece:'))[1]?.key ?? '', null);
    assert.equal(await second.read(PATH), undefined);
    assert.deepEqual((await open('4').load()).unreadable, [PATH]);
  });

  it('one that fits into a value is not cut', async () => {
    const [room, of] = [150_000, (length: number): FileReview => edited('x', 'y'.repeat(length))];
    const least = JSON.stringify(storedReview(of(0))).length;
    await first.save(of(room - least));
    assert.equal((await values.list('review-piece:')).length, 0);
    await first.save(of(room - least + 1));
    assert.equal((await values.list('review-piece:')).length, 2);
    await first.save(of(0));
    assert.equal((await values.list('review-piece:')).length, 0);
  });

  it('one that is being saved here is no news, until all its saves are over', async () => {
    const swap = values.swap.bind(values);
    const waiting: PromiseWithResolvers<void>[] = [];
    Object.assign(values, {
      swap: async (...given: Parameters<MapValues['swap']>) => {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        await turn.promise;
        return swap(...given);
      },
    });
    const next = async (): Promise<void> => {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
      waiting.shift()?.resolve();
    };
    const saves = [first.save(edited('x')), first.save(edited('y'))];
    const elsewhere = second.save(edited('z'));
    await next();
    await saves[0];
    await values.set(`review-revision:${PATH}`, 'other');
    assert.deepEqual([await first.newest(PATH), await first.changedElsewhere()], [undefined, []]);
    await next();
    await next();
    assert.deepEqual([await saves[1], await elsewhere], [false, false]);
    assert.deepEqual(await first.changedElsewhere(), [PATH]);
  });

  it('read while another window keeps changing it: anew, and after five times as it is', async () => {
    await first.save(edited('x'));
    const get = values.get.bind(values);
    let [changes, heads] = [4, 0];
    Object.assign(values, {
      get: async (key: string) => {
        if (key === `review:${PATH}`) {
          heads += 1;
          if ((changes -= 1) >= 0) await values.set(`review-revision:${PATH}`, `3.${changes}`);
        }
        return get(key);
      },
    });
    assert.equal(document(await second.read(PATH)), 'x');
    assert.equal(heads, 5);
    assert.deepEqual(await second.changedElsewhere(), []);
    [changes, heads] = [9, 0];
    assert.equal(document(await second.read(PATH)), 'x');
    assert.equal(heads, 5);
    assert.deepEqual(await second.changedElsewhere(), [PATH], 'the last one is not known yet');
  });

  it('of a form that this version does not know it is left alone', async () => {
    await values.set(`review:${PATH}`, { version: 99 });
    await values.set(`review-revision:${PATH}`, { version: 99 });
    assert.deepEqual(await first.load(), { reviews: [], unreadable: [PATH] });
    assert.equal(first.isForeign(PATH), true);
    assert.equal(await first.save(edited('x')), false);
    assert.equal(await first.read(PATH), undefined);
    assert.equal(await first.remove(PATH), false);
    assert.equal((await keys()).length, 2);
  });
});

describe('a stored review whose parts are strange', () => {
  const binary: Content = { kind: 'binary', hash: 'h', bytes: 3 };
  const read = (more: JsonObject, review = edited('1\nx')): FileReview | undefined =>
    reviewFrom(JSON.parse(JSON.stringify({ ...storedReview(review), ...more })) as Json);

  it('is none without its texts', () => {
    assert.notEqual(read({}), undefined);
    const changes = (...all: Json[]): JsonObject => ({ changes: all });
    const gone = { document: { kind: 'absent' }, told: { kind: 'absent' } };
    for (const more of [
      { path: 7 },
      { baseline: null },
      { baseline: { kind: 'text' } },
      { baseline: { kind: 'binary', hash: 'h' }, ...gone },
      { baseline: { kind: 'binary', bytes: 1 }, ...gone },
      { baseline: { kind: 'other', hash: 'h', bytes: 1 }, ...gone },
      { baseline: { kind: 'other', text: 'x' } },
      { document: { kind: 'text', text: 7 } },
      { told: { kind: 'text' } },
      { document: changes(['0', 1, []]) },
      { document: changes([0, '1', []]) },
      { document: changes([0, 1, ['x', 7]]) },
      { told: changes(null) },
      { baseline: { kind: 'absent' } },
    ])
      assert.equal(read(more), undefined, JSON.stringify(more));
    const other = read({ baseline: { kind: 'binary', hash: 'h', bytes: 3 }, ...gone });
    assert.deepEqual([other?.baseline, other?.document], [binary, ABSENT]);
    assert.deepEqual(read({ document: changes([0, 1]) })?.document, textContent('2'));
  });

  it('is taken without what cannot be read of who made what', () => {
    const { by: _, ...author } = by;
    const review = read({
      authors: [
        { ...author, by: 'agent', at: 'x', during: 1, tool: 7 },
        { ...author, by: 'me' },
      ],
      marks: [
        [0, 1, 0],
        [1, 2, 1],
        [1, 2, 7],
        [1, 2, 'user'],
        [1, 2, 'outside'],
        [1, 2, 'other'],
        ['1', 2, 'user'],
        [1, '2', 'user'],
        null,
      ],
      whole: [0, 1, 7],
      looked: ['1', 2],
      toldTo: 7,
      renamedFrom: 7,
      folder: 7,
      gone: 1,
      unsaved: 1,
    });
    const made = { ...by, at: 0, tool: '' };
    assert.deepEqual(review?.marks, [
      { from: 0, to: 1, by: made },
      { from: 1, to: 2, by: 'user' },
      { from: 1, to: 2, by: 'outside' },
    ]);
    assert.deepEqual([review?.wholeFileBy, review?.looked], [[made], ['1']]);
    for (const key of ['knownToSession', 'renamedFrom', 'folder', 'unsaved', 'kept'] as const)
      assert.equal(review !== undefined && key in review, false, key);
    assert.equal(review?.fileMissing, false);
    assert.deepEqual(read({ marks: 7, whole: null, authors: 'x', looked: {} })?.marks, []);
  });

  it('has who did it, what was kept and what it is made of as they were', () => {
    const authors = [
      { ...by, by: 'command' as const, during: true as const },
      { ...by, callId: '2' },
    ];
    const whole: FileReview = {
      ...newReview(PATH, textContent('1')),
      document: binary,
      wholeFileBy: authors,
      marks: [{ from: 0, to: 0, by: authors[1]! }],
      kept: { hash: 'k', bytes: 1, mode: 0o755 },
      renamedFrom: '/w/old',
      knownToSession: 's',
      unsaved: true,
      looked: ['1'],
      fileMissing: true,
    };
    assert.deepEqual(read({}, whole), whole);
    const { kept: _, ...rest } = whole;
    for (const kept of [
      { hash: 'k', bytes: 1 },
      { hash: 'k', mode: 1 },
      { bytes: 1, mode: 1 },
    ])
      assert.deepEqual(read({ kept }, whole), rest);
    assert.deepEqual(read({ kept: null }, whole), rest);
  });
});

import assert from 'node:assert/strict';
import {
  ABSENT,
  type FileReview,
  newReview,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { withOtherHands } from '../../../src/core/review/model/other-hands.ts';
import { ReviewNotices } from '../../../src/core/review/storage/review-notices.ts';
import { MapValues } from '../../support/map-values.ts';
import { agentEdited, by } from '../../support/review/attribution.ts';

const edited = (before: string, after: string): FileReview =>
  agentEdited(newReview('/w/a', textContent(before)), textContent(after), by);
const one = edited('1\n2\n3', 'x\n2\n3');
const two = edited('1\n2\n3', 'x\n2\ny');
/** The user changed a line that the agent left alone. */
const typed = withOtherHands(one, textContent('x\n2\nmine'), 'editor');
const MINE = '@@ line 3\n-3\n+mine';

describe('news of decisions for the model', () => {
  let values: MapValues;
  let notices: ReviewNotices;
  const told = (from = notices): readonly string[] => from.take('s').map(({ text }) => text);
  const keys = async (): Promise<readonly string[]> =>
    (await values.list('')).map(({ key }) => key);

  beforeEach(() => {
    values = new MapValues();
    notices = new ReviewNotices(values, 'w1');
  });

  it('accepted: of what is in the file already nothing is new but what the person changed', async () => {
    await notices.noteKept(two, 'all');
    assert.deepEqual(told(), []);
    await notices.noteKept(typed, 'all');
    assert.deepEqual(told(), [
      `The user kept your changes of /w/a. Before that they changed it:\n${MINE}`,
    ]);
  });

  it('rejected: the lines as they are now, and what the person had changed', async () => {
    await notices.noteUndone(two, 'all');
    await notices.noteUndone(typed, 'all');
    const binary = { kind: 'binary', hash: 'h', bytes: 5 } as const;
    await notices.noteUndone(agentEdited(newReview('/w/a', ABSENT), binary, by), 'all');
    assert.deepEqual(told(), [
      'The user undid your changes of /w/a:\n@@ line 1\n-x\n+1\n@@ line 3\n-y\n+3',
      `The user undid your changes of /w/a:\n@@ line 1\n-x\n+1\nBefore that they changed it:\n${MINE}`,
      'The user undid your changes of /w/a (binary, 5 B).',
    ]);
    const { knownToSession: _, ...nobodys } = one;
    await notices.noteUndone(nobodys, 'all');
    assert.deepEqual(await keys(), [
      'review-news:s/000000001-w1',
      'review-news:s/000000002-w1',
      'review-news:s/000000003-w1',
    ]);
  });

  it('edits of the person are told to the session that made the change, in three thousand characters', () => {
    assert.equal(notices.edited(typed, 's'), `The user changed /w/a after your edit:\n${MINE}`);
    assert.equal(notices.edited(typed, 'other'), undefined);
    assert.equal(notices.edited(one, 's'), undefined);
    const more = (length: number): string =>
      notices.edited(
        withOtherHands(one, textContent(`x\n2\n${'m'.repeat(length)}`), 'editor'),
        's',
      ) ?? '';
    // `@@ line 3`, `-3` and `+` with their line ends have 14 characters.
    assert.equal(
      more(2986),
      `The user changed /w/a after your edit:\n@@ line 3\n-3\n+${'m'.repeat(2986)}`,
    );
    assert.match(more(2987), /m\n… \(read the file for the rest\)$/u);
    assert.equal(more(2987).length, more(2986).length + '\n… (read the file for the rest)'.length);
  });

  it('is told once: taken, it is not taken again while it is stored, nor when it was told', async () => {
    await notices.noteUndone(one, 'all');
    const [first] = notices.take('s');
    assert.deepEqual(notices.take('s'), []);
    await notices.load();
    assert.deepEqual(told(), [], 'it is stored until it is told');
    await values.set(first?.key ?? '', null);
    await notices.load();
    await values.set(first?.key ?? '', 'another of this name');
    await notices.load();
    assert.deepEqual(told(), ['another of this name']);
  });

  it('news of other windows are taken over, those they told are gone, and each has a number of its own', async () => {
    const other = new ReviewNotices(values, 'w2');
    await other.noteUndone(one, 'all');
    await other.noteUndone(two, 'all');
    await notices.load();
    await notices.load();
    await notices.noteUndone(two, 'all');
    assert.equal((await keys()).at(-1), 'review-news:s/000000003-w1');
    await values.set('review-news:s/000000001-w2', null);
    await notices.load();
    assert.equal(told().length, 2);
    await values.set('review-news:no number', 'strange');
    await values.set('review-news:s/000000009', 7);
    await values.set('review-news:a/b/000000004', 'of a session with a slash');
    const third = new ReviewNotices(values);
    await third.load();
    assert.equal(told(third).length, 2);
    assert.equal(third.take('a/b').length, 1);
    await third.noteUndone(one, 'all');
    assert.equal((await keys()).at(-1), 'review-news:s/000000009');
    assert.ok((await keys()).includes('review-news:s/000000005-'));
  });

  it('while it is being stored it stays; of fifty kept for a session the oldest goes', async () => {
    const storing = Promise.withResolvers<void>();
    const set = values.set.bind(values);
    Object.assign(values, { set: () => storing.promise });
    const adding = notices.noteUndone(one, 'all');
    await notices.load();
    Object.assign(values, { set });
    storing.resolve();
    await adding;
    assert.equal(told().length, 1);
    Object.assign(values, { set: () => Promise.reject(new Error('The disk is full.')) });
    await assert.rejects(notices.noteUndone(one, 'all'));
    Object.assign(values, { set });
    await notices.load();
    assert.deepEqual(told(), [], 'what is not stored is not told: the decision failed');
    for (let count = 0; count < 51; count += 1) await notices.noteUndone(one, 'all');
    const left = await keys();
    assert.deepEqual([left.length, left[0]], [50, 'review-news:s/000000004-w1']);
    assert.equal(told().length, 50);
  });

  it('knows of the last two hundred files how sentences told one text to become another', () => {
    const [before, after, later] = ['x\n2\n3', 'x\n2\nmine', 'x\n2\nours'].map(textContent);
    assert.ok(before !== undefined && after !== undefined && later !== undefined);
    notices.tellsAll(typed, after);
    assert.equal(notices.hasTold('s', '/w/a', before, after), true);
    assert.equal(notices.hasTold('s', '/w/b', before, after), false);
    assert.equal(notices.hasTold('s', '/w/a', after, after), false);
    assert.equal(notices.hasTold('s', '/w/a', before, later), false);
    // One after the other they tell all of it.
    notices.tellsAll({ ...typed, knownToModel: after }, later);
    assert.equal(notices.hasTold('s', '/w/a', before, later), true);
    notices.tellsAll({ ...typed, knownToModel: later }, later);
    assert.equal(notices.hasTold('s', '/w/a', before, later), true, 'nothing was told');
    notices.tellsAll({ ...typed, knownToModel: textContent('another') }, after);
    assert.equal(notices.hasTold('s', '/w/a', before, after), false);
    const { knownToSession: _, ...nobodys } = typed;
    notices.tellsAll(nobodys, after);
    assert.equal(notices.hasTold('undefined', '/w/a', before, after), false);
    const long = (length: number) => textContent(`x\n2\n${'m'.repeat(length)}`);
    for (const [length, is] of [
      [2986, true],
      [2987, false],
    ] as const) {
      notices.tellsAll(one, long(length));
      assert.equal(notices.hasTold('s', '/w/a', before, long(length)), is, 'of a cut one not all');
    }
    const tells = (file: number): void => notices.tellsAll({ ...typed, path: `/w/${file}` }, after);
    for (let file = 0; file < 201; file += 1) tells(file);
    // Told once more, it is the newest.
    tells(1);
    tells(201);
    assert.deepEqual(
      [0, 1, 2, 3, 201].map((file) => notices.hasTold('s', `/w/${file}`, before, after)),
      [false, true, false, true, true],
    );
  });
});

import assert from 'node:assert/strict';
import { agentEdited, agentRenamed } from '../../../src/core/review/model/agent-edits.ts';
import { newReview, textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import {
  DecisionJournal,
  type Meant,
  stillMeant,
} from '../../../src/core/review/storage/decision-journal.ts';
import { MapValues } from '../../support/map-values.ts';
import { by } from '../../support/review/attribution.ts';

const meant = (path: string, more: Partial<Meant> = {}): Meant => ({
  kind: 'written',
  path,
  choice: 'all',
  hunks: ['1'],
  ...more,
});

describe('decisions on record while they are made', () => {
  let values: MapValues;
  beforeEach(() => {
    values = new MapValues();
  });

  it('one about several files is found by the next window, as it was meant, until it is ended', async () => {
    const all = [meant('/w/a'), meant('/w/b', { kind: 'proposed', choice: ['2'], hunks: ['2'] })];
    await new DecisionJournal(values, 'w1').begin('reject', all);
    const next = new DecisionJournal(values, 'w2');
    assert.deepEqual(await next.interrupted(), { decision: 'reject', selected: all });
    await next.end();
    assert.deepEqual(await values.list(''), []);
    assert.equal(await next.interrupted(), undefined);
  });

  it('each window has its own; a new one takes the place of the last', async () => {
    const [first, second] = [new DecisionJournal(values, 'w1'), new DecisionJournal(values, 'w2')];
    await first.begin('accept', [meant('/w/a')]);
    await second.begin('reject', [meant('/w/b')]);
    await first.begin('accept', [meant('/w/c')]);
    await second.end();
    const found = await new DecisionJournal(values, 'w3').interrupted();
    assert.deepEqual(
      found?.selected.map(({ path }) => path),
      ['/w/c'],
    );
  });

  it('one that was not wholly written is none, and goes; what is strange in one is left out', async () => {
    const long = Array.from({ length: 3000 }, (_, index) => meant(`/w/${index}/${'x'.repeat(80)}`));
    const first = new DecisionJournal(values, 'w1');
    await first.begin('accept', long);
    await first.begin('accept', [meant('/w/a')]);
    assert.equal((await values.list('')).length, 1, 'of the last one nothing is left');
    await first.begin('accept', long);
    const pieces = await values.list('review-decision:');
    assert.ok(pieces.length > 1);
    await values.set(pieces[0]?.key ?? '', null);
    const later = new DecisionJournal(values, 'w2');
    assert.equal(await later.interrupted(), undefined);
    assert.deepEqual(await values.list(''), [], 'nobody reads it any more');
    const selected = [
      { kind: 'written', path: '/w/a', all: 1, hunks: ['1', 2] },
      { kind: 'asked', path: '/w/b', all: true, hunks: [] },
      { kind: 'written', path: 7, all: true, hunks: [] },
      { kind: 'proposed', path: '/w/c', all: true },
      null,
    ];
    const text = (value: unknown): string => JSON.stringify(value);
    await values.set('review-decision:w1#0000', text({ decision: 'keep', selected }));
    await values.set('review-decision:w3#0000', text({ decision: 'accept', selected }));
    await values.set('review-decision:w4#0000', text({ decision: 'reject', selected: 'all' }));
    const found = await later.interrupted();
    assert.deepEqual(found, {
      decision: 'accept',
      selected: [meant('/w/a', { choice: ['1'] }), meant('/w/c', { kind: 'proposed', hunks: [] })],
    });
    await later.end();
    assert.deepEqual(
      (await values.list('')).map(({ key }) => key),
      ['review-decision:w4#0000'],
    );
    assert.deepEqual(await later.interrupted(), { decision: 'reject', selected: [] });
  });

  it('a file that is being changed is noted until that is over', async () => {
    const journal = new DecisionJournal(values);
    const [a, b] = [meant('/w/a', { choice: ['1'] }), meant('/w/a', { kind: 'proposed' })];
    await journal.beginFile('accept', a);
    await journal.beginFile('reject', b);
    await values.set('review-under-way:written:/w/x', { decision: 'accept', kind: 'written' });
    await values.set('review-under-way:written:/w/y', { ...b, kind: 'written', path: '/w/y' });
    assert.deepEqual(
      (await journal.noted()).map(({ kind, path }) => `${kind} ${path}`),
      ['proposed /w/a', 'written /w/a', 'written /w/y'],
    );
    assert.deepEqual(await journal.underWay(a), { decision: 'accept', meant: a });
    assert.deepEqual(await journal.underWay(b), { decision: 'reject', meant: b });
    for (const path of ['/w/x', '/w/y', '/w/z'])
      assert.equal(await journal.underWay({ kind: 'written', path }), undefined);
    await journal.endFile(a);
    assert.equal(await journal.underWay(a), undefined);
    assert.notEqual(await journal.underWay(b), undefined);
  });

  it('what is meant by then: all of it, what is left, or nothing', () => {
    const review = agentEdited(
      newReview('/w/a', textContent('1\n2\n3')),
      textContent('x\n2\ny'),
      by,
    );
    const [one = '', two = ''] = hunksOf(review).map(({ id }) => id);
    const still = (
      choice: Meant['choice'],
      hunks: readonly string[],
    ): Meant['choice'] | undefined => stillMeant(review, { choice, hunks });
    assert.equal(still('all', [one, two]), 'all');
    assert.deepEqual(still('all', [two]), [two], 'one came since');
    assert.deepEqual(still([one], [one, 'gone']), [one]);
    assert.deepEqual(still([one, two], [one, two]), [one, two]);
    assert.equal(still('all', ['gone']), undefined);
    assert.equal(still([one], ['gone']), undefined);
    const settled = newReview('/w/a', textContent('1'));
    assert.equal(stillMeant(settled, { choice: 'all', hunks: [] }), undefined);
    const renamed = agentRenamed(settled, '/w/b', by);
    assert.equal(stillMeant(renamed, { choice: 'all', hunks: [] }), 'all');
    assert.equal(stillMeant(renamed, { choice: [], hunks: [] }), undefined);
  });
});

import assert from 'node:assert/strict';
import type { Json } from '../../../src/domain/data/json.ts';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  type Attribution,
  type Content,
  type FileReview,
  newReview,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { CallOutcomes } from '../../../src/core/review/storage/call-outcomes.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by as anyBy } from '../../support/review/attribution.ts';

const KEY = 'review-outcomes';
const by = (callId: string, more: Partial<Attribution> = {}): Attribution => ({
  ...anyBy,
  callId,
  ...more,
});
const BEFORE = '1\n2\n3\n4\n5';
const edited = (after: string, who = by('c'), path = '/w/a'): FileReview =>
  agentEdited(newReview(path, textContent(BEFORE)), textContent(after), who);

describe('outcomes of calls on record', () => {
  let values: MapValues;
  /** What files hold; others cannot be read. */
  let disk: Map<string, Content>;
  let reads: string[];
  let warned: number;
  let outcomes: CallOutcomes;
  const open = (): CallOutcomes =>
    new CallOutcomes(values, { ...silentLog, warn: () => void (warned += 1) }, async (path) => {
      reads.push(path);
      return disk.get(path) ?? Promise.reject(new Error('It cannot be read.'));
    });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const of = (callId = 'c', from = outcomes): unknown => from.of('s').get(callId);

  beforeEach(async () => {
    [values, disk] = [new MapValues(), new Map<string, Content>()];
    [reads, warned] = [[], 0];
    disk.set('/w/a', textContent('x\n2\n3\n4\n5'));
    outcomes = open();
    await outcomes.load('s');
  });

  it('are by what the files hold, which are looked at once; of those that cannot be read the decision counts', async () => {
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    await outcomes.decided('accept', edited('y\n2\n3\n4\n5', by('d'), '/w/b'), 'all');
    assert.deepEqual(
      [of(), of('d')],
      [
        { accepted: 1, rejected: 0 },
        { accepted: 1, rejected: 0 },
      ],
    );
    disk.set('/w/a', textContent(BEFORE));
    const later = open();
    assert.deepEqual([...later.of('s')], [], 'nothing is known yet');
    assert.equal(later.concerns('/w/a'), false);
    reads = [];
    await later.load('s');
    await later.load('s');
    assert.deepEqual(
      reads.filter((path) => path === '/w/a'),
      ['/w/a'],
    );
    assert.deepEqual(of('c', later), { accepted: 0, rejected: 0, undone: 1 });
    assert.deepEqual(of('d', later), { accepted: 1, rejected: 0 });
    assert.deepEqual([later.concerns('/w/a'), later.concerns('/w/b')], [true, false]);
  });

  it('are told again when a file that they are of becomes another one', async () => {
    let told = 0;
    const listening = outcomes.onChange(() => (told += 1));
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    assert.equal(told, 1);
    told = 0;
    outcomes.fileIs('/w/other', textContent('x'));
    outcomes.fileIs('/w/a', textContent('x\n2\n3\n4\n5'));
    assert.equal(told, 0);
    outcomes.fileIs('/w/a', textContent(BEFORE));
    assert.deepEqual([told, of()], [1, { accepted: 0, rejected: 0, undone: 1 }]);
    assert.equal(outcomes.concerns('/w/other'), false);
    listening.dispose();
    outcomes.fileIs('/w/a', textContent('x'));
    assert.equal(told, 1);
  });

  it('the last word about a change counts, for each of the calls and sessions that made it', async () => {
    const both = edited('x\n2\n3\n4\n5', by('c'));
    const joined = agentEdited(both, textContent('xx\n2\n3\n4\n5'), by('d', { sessionId: 't' }));
    const marked = { ...joined, marks: [...joined.marks, ...both.marks] };
    assert.equal(hunksOf(marked)[0]?.by.length, 2);
    await outcomes.load('t');
    await outcomes.decided('reject', marked, 'all');
    assert.deepEqual(of(), { accepted: 0, rejected: 1 });
    assert.deepEqual(of('d'), undefined);
    assert.deepEqual(outcomes.of('t').get('d'), { accepted: 0, rejected: 1 });
    disk.set('/w/a', textContent('third'));
    await outcomes.decided('accept', marked, 'all');
    assert.deepEqual(of(), { accepted: 1, rejected: 0 });
    const nobodys = edited('y\n2\n3\n4\n5', by('e', { sessionId: '' }));
    await outcomes.decided('accept', nobodys, 'all');
    assert.equal(await values.get(KEY, ''), undefined);
    const twice = edited('third', by('f'));
    await outcomes.decided('accept', twice, 'all');
    await outcomes.decided('accept', { ...twice, path: '/w/b' }, 'all');
    assert.deepEqual(of('f'), { accepted: 2, rejected: 0 }, 'the same change of two files');
    assert.equal(warned, 0);
  });

  it('lines that are accepted instead of others leave those decided; of other files they do not', async () => {
    const [a, b] = [edited('x\n2\n3\n4\n5', by('c')), edited('x\n2\n3\n4\n5', by('d'), '/w/b')];
    disk.set('/w/b', textContent('x'));
    for (const review of [a, b]) await outcomes.decided('accept', review, 'all');
    const next = agentEdited(
      newReview('/w/a', textContent('x\n2\n3\n4\n5')),
      textContent('y\n2\n3\n4\n5'),
      by('e'),
    );
    await outcomes.decided('reject', next, 'all');
    outcomes.fileIs('/w/a', textContent(BEFORE));
    assert.deepEqual(of('c'), { accepted: 0, rejected: 0, undone: 1 }, 'a rejection settles none');
    await outcomes.decided('accept', next, 'all');
    outcomes.fileIs('/w/a', textContent(`${BEFORE}\nmore`));
    outcomes.fileIs('/w/b', textContent(BEFORE));
    assert.deepEqual(of('c'), { accepted: 1, rejected: 0 });
    assert.deepEqual(of('d'), { accepted: 0, rejected: 0, undone: 1 });
  });

  it('of a thousand calls the oldest goes, and of the newest hundred it is known what they were', async () => {
    const piece = (index: number): Json => [
      '/w/b',
      `${index}`,
      'accepted',
      [`line ${index}`],
      [`old ${index}`],
    ];
    const entries = Array.from({ length: 1000 }, (_, index): Json => [`${index}`, [piece(index)]]);
    await values.set(KEY, entries, 's');
    outcomes = open();
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    const stored = (await values.get(KEY, 's')) as readonly (readonly [
      string,
      [[unknown, unknown, unknown, Json[]]],
    ])[];
    assert.deepEqual([stored.length, stored[0]?.[0], stored.at(-1)?.[0]], [1000, '1', 'c']);
    const followed = stored.filter(([, pieces]) => pieces[0][3].length === 1);
    assert.deepEqual([followed.length, followed[0]?.[0]], [100, '901']);
    const plain = stored.find(([id]) => id === '900');
    assert.deepEqual(plain, ['900', [['/w/b', '900', 'accepted', [], []]]]);
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5', by('900')), 'all');
    const again = (await values.get(KEY, 's')) as readonly (readonly [string, Json])[];
    assert.deepEqual([again.length, again.at(-1)?.[0]], [1000, '900'], 'the newest again');
  });

  it('counts of an older version are read; what is none is left out', async () => {
    await values.set(
      KEY,
      [['c', 2, 1], ['d', 5000, 0], ['e', 2, 'x'], [7, []], 'text', ['f']],
      's',
    );
    outcomes = open();
    await outcomes.load('s');
    assert.deepEqual(
      [...outcomes.of('s')],
      [
        ['c', { accepted: 2, rejected: 1 }],
        ['d', { accepted: 1000, rejected: 0 }],
        ['e', { accepted: 0, rejected: 0 }],
        ['f', { accepted: 0, rejected: 0 }],
      ],
    );
    await values.set(KEY, { c: 1 }, 's');
    await outcomes.refresh();
    assert.deepEqual([...outcomes.of('s')], []);
  });

  it('another window’s decisions are taken over, and told only when there are some', async () => {
    const other = open();
    let told = 0;
    outcomes.onChange(() => (told += 1));
    await outcomes.refresh();
    assert.equal(told, 0);
    await other.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    await outcomes.refresh();
    assert.deepEqual([told, of()], [1, { accepted: 1, rejected: 0 }]);
    await outcomes.refresh();
    assert.equal(told, 1);
    await other.decided('reject', edited('2\n3\n4\n5', by('d')), 'all');
    await outcomes.decided('reject', edited('1\n3\n4\n5', by('e')), 'all');
    await other.refresh();
    for (const one of [outcomes, other]) assert.equal(one.of('s').size, 3);
  });

  it('a store that fails is told in the log alone, and asked again', async () => {
    const get = values.get.bind(values);
    Object.assign(values, { get: () => Promise.reject(new Error('The disk is full.')) });
    outcomes = open();
    await assert.rejects(outcomes.load('s'));
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    assert.equal(warned, 1);
    Object.assign(values, { get });
    await outcomes.load('s');
    assert.equal(of(), undefined);
    await outcomes.decided('accept', edited('x\n2\n3\n4\n5'), 'all');
    assert.deepEqual(of(), { accepted: 1, rejected: 0 });
  });

  describe('changes that are gone without a decision', () => {
    const FIRST = 'x\n2\n3\n4\n5';
    const BOTH = 'x\n2\n3\n4\ny';
    /** What becomes of call `c` when the first look has one state and the next another. */
    const after = async (
      before: FileReview | undefined,
      now: FileReview | undefined,
    ): Promise<unknown> => {
      outcomes.reviewIs('/w/a', undefined);
      outcomes.reviewIs('/w/a', before);
      outcomes.reviewIs('/w/a', now);
      await settle();
      return of();
    };
    const known = textContent(BOTH);
    const rejected = { accepted: 0, rejected: 1 };

    it('were dropped by the person, each by itself', async () => {
      disk.set('/w/a', textContent('third'));
      const both = edited(BOTH);
      assert.deepEqual(await after(both, { ...edited(FIRST), knownToModel: known }), rejected);
    });

    it('a change that the person edited is another one in its place; one elsewhere was dropped', async () => {
      disk.set('/w/a', textContent('third'));
      for (const text of ['X\n2\n3\n4\n5', '1\n2\n3\n4\nY']) {
        values = new MapValues();
        outcomes = open();
        await outcomes.load('s');
        const now = { ...edited(text), knownToModel: known };
        assert.deepEqual(await after(edited(BOTH), now), rejected, text);
      }
      for (const [text, is] of [
        ['1\nx\n2\n3\n4\n5', undefined],
        ['x\n1\n2\n3\n4\n5', undefined],
        ['1\n2\nx\n3\n4\n5', rejected],
      ] as const) {
        values = new MapValues();
        outcomes = open();
        await outcomes.load('s');
        const now = { ...edited(text), knownToModel: known, wholeFileBy: [by('whole')] };
        assert.deepEqual(await after(edited(FIRST), now), is, text);
        assert.equal(of('whole'), undefined, 'nothing of the file as a whole was decided');
      }
      const others = { ...edited('X\n2\n3\n4\n5', by('d')), knownToModel: known };
      assert.deepEqual(await after(edited(FIRST), others), rejected, 'of another call');
    });
  });
});

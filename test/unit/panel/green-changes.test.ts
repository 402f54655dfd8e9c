import assert from 'node:assert/strict';
import { hunksOf, type PendingChange } from '../../../src/core/review/model/hunks.ts';
import type { ChangeDoubt, ChangeEvidence } from '../../../src/domain/review/evidence.ts';
import { keepGreen, greenChanges } from '../../../src/panel/review/green-changes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { PendingWork } from '../../support/pending-work.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`);
const changed = (...at: readonly number[]): string =>
  LINES.map((line, index) => (at.includes(index) ? `${line}!` : line)).join('\n');

describe('changes that are green', () => {
  let work: PendingWork;
  /** Doubts by the first line of a change. */
  let doubts: ReadonlyMap<string, readonly ChangeDoubt[]>;

  beforeEach(async () => {
    work = new PendingWork(new FakeClock());
    doubts = new Map([['line 9!', ['not tested']]]);
    await work.edit('a.ts', [LINES.join('\n'), changed(2, 9, 15)]);
    await work.edit('b.ts', [LINES.join('\n'), changed(9)]);
    work.write('old.ts', 'same');
    const content = { kind: 'text', lines: ['same'] } as const;
    const to = { path: work.at('new.ts'), content };
    await work.reviews.agent.renames(work.at('old.ts'), to, work.by());
  });
  afterEach(() => work[Symbol.dispose]());

  const reviewing = () => ({
    reviews: work.reviews,
    roots: () => [work.folder],
    evidence: {
      known: () => undefined,
      onLearned: () => ({ dispose: () => undefined }),
      of: async (changes: readonly PendingChange[]) =>
        changes.map(({ hunk }): ChangeEvidence => ({
          calls: [],
          request: { sessionId: '', messageId: '', text: '' },
          checks: { state: 'not asked' },
          tests: [],
          doubts: hunk === undefined ? ['not checked'] : (doubts.get(hunk.added[0] ?? '') ?? []),
        })),
    },
  });
  const left = (): readonly string[] =>
    work.reviews.pending.flatMap((review) => hunksOf(review).map(({ added }) => added[0] ?? ''));

  it('are named with the others and why these are not', async () => {
    const { green, others } = await greenChanges(reviewing());
    assert.deepEqual(
      green.map(({ name, line }) => `${name}:${line}`),
      ['a.ts:3', 'a.ts:16'],
    );
    assert.deepEqual(
      others.map(({ name, line, doubts: why }) => `${name}:${line} ${why.join()}`),
      ['a.ts:10 not tested', 'b.ts:10 not tested', 'new.ts:1 not checked'],
    );
  });

  it('are kept; what is not green any more, and what was never asked about, stays pending', async () => {
    const { green } = await greenChanges(reviewing());
    doubts = new Map([...doubts, ['line 15!', ['tests failed']]]);
    const { done, failed } = await keepGreen(reviewing(), { refresh: () => undefined }, green);
    assert.equal(done, 1);
    assert.deepEqual(
      failed.map(({ name, reason }) => `${name}: ${reason}`),
      ["a.ts: It stays pending: a test run after the file's last change failed."],
    );
    assert.deepEqual(left(), ['line 9!', 'line 15!', 'line 9!']);
  });
});

import assert from 'node:assert/strict';
import { textContent } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import type { CallOutcome } from '../../../src/core/review/storage/call-outcomes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { PendingWork } from '../../support/pending-work.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const AFTER = 'one\nTWO\nthree\nFOUR\nfive\n';

describe('what became of the changes of a call, by what the file holds', () => {
  let work: PendingWork;

  beforeEach(async () => {
    work = new PendingWork(new FakeClock());
    await work.reviews.records.outcomes.load('one');
  });
  afterEach(() => work[Symbol.dispose]());

  const at = (): string => work.at('a.txt');
  const outcome = async (): Promise<CallOutcome | undefined> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return work.reviews.records.outcomes.of('one').get('call');
  };
  const choice = (removed: string): readonly string[] => {
    const review = work.reviews.find(at()) ?? assert.fail();
    return hunksOf(review).flatMap((hunk) => (hunk.removed[0] === removed ? hunk.id : []));
  };
  /** The editor has another text by Undo. */
  const undone = (text: string): void => {
    work.write('a.txt', text);
    work.reviews.files.documentChanged(at(), textContent(text), { kind: 'undone' });
  };
  const edited = (): Promise<unknown> => work.edit('a.txt', [BEFORE, AFTER]);

  it('one change rejected, undone, and all accepted: accepted', async () => {
    await edited();
    await work.reviews.decisions.reject({
      path: at(),
      choice: choice('two'),
    });
    assert.deepEqual(await outcome(), { accepted: 0, rejected: 1 });
    undone(AFTER);
    assert.equal(choice('two').length, 1);
    await work.reviews.decisions.accept({ path: at() });
    assert.deepEqual(await outcome(), { accepted: 2, rejected: 0 });
  });

  it('accepted and edited further by the person, or by another call, stays accepted', async () => {
    await edited();
    await work.reviews.decisions.accept({ path: at() });
    undone(AFTER.replace('TWO', 'TWO and more'));
    assert.deepEqual(await outcome(), { accepted: 2, rejected: 0 });
    undone(AFTER);
    const next = AFTER.replace('TWO', 'two').replace('FOUR', 'four');
    await work.edit('a.txt', [AFTER, next], { callId: 'second' });
    await work.reviews.decisions.accept({ path: at() });
    assert.deepEqual(await outcome(), { accepted: 2, rejected: 0 });
  });

  it('is known of files that changed while nobody looked', async () => {
    await edited();
    await work.reviews.decisions.accept({ path: at() });
    await outcome();
    work.write('a.txt', BEFORE);
    await work.reviews.files.fileChanged(at());
    assert.deepEqual(await outcome(), { accepted: 0, rejected: 0, undone: 2 });
  });
});

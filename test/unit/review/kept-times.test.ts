import assert from 'node:assert/strict';
import { agentEdited } from '../../../src/core/review/model/agent-edits.ts';
import {
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { StashedReviews } from '../../../src/core/review/storage/stashed-reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';

const BEFORE = textContent('before\n');
const edited = (text: string): FileReview =>
  agentEdited(newReview('/a', BEFORE), textContent(text), by);

describe('what the person typed in a file of which reviews are kept', () => {
  let values: MapValues;
  let clock: FakeClock;
  let stash: StashedReviews;
  const open = async (): Promise<void> => {
    stash = new StashedReviews({ values, clock, log: silentLog });
    await stash.load();
  };
  const keep = (text: string): void => stash.keep(edited(text), { undecided: true, left: BEFORE });
  const known = async (): Promise<unknown> =>
    (await stash.of('/a')).map(({ review: { document }, left, typed }) => [
      textOf(document),
      left && textOf(left),
      typed,
    ]);
  const keys = async (): Promise<readonly string[]> =>
    (await values.list('')).map(({ key }) => key);

  beforeEach(async () => {
    [values, clock] = [new MapValues(), new FakeClock()];
    await open();
  });

  for (const isRestarted of [false, true])
    it(`is older than what is kept afterwards, however the clock goes${isRestarted ? ', also after a restart' : ''}`, async () => {
      keep('x\n');
      stash.typed('/a', textContent('1\n'));
      stash.typed('/a', textContent('2\n'));
      await stash.flush();
      if (isRestarted) await open();
      clock.jump(-1000);
      keep('y\n');
      assert.deepEqual(await known(), [
        ['y\n', 'before\n', false],
        ['x\n', '2\n', true],
      ]);
      const times = (await values.list('review-parked:')).map(
        ({ value }) => (value as { at: number }).at - clock.now() - 1000,
      );
      assert.deepEqual([Math.min(...times), Math.max(...times)], [0, 3]);
    });

  it('is known as long as one of them is kept', async () => {
    keep('x\n');
    keep('y\n');
    stash.typed('/a', textContent('typed\n'));
    await stash.flush();
    await stash.forget('/a', textContent('x\n'));
    assert.deepEqual(await known(), [['y\n', 'typed\n', true]]);
    await stash.forget('/a', textContent('y\n'));
    assert.deepEqual(await keys(), []);
  });

  it('and one that cannot be read does not keep the person from deciding', async () => {
    keep('x\n');
    await stash.flush();
    for (const { key } of await values.list('review-parked-piece:')) await values.set(key, null);
    await stash.accepted(edited('x\n'), 'all');
    await stash.rejected(edited('x\n'), 'all');
  });
});

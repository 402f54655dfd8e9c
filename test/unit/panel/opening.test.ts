import assert from 'node:assert/strict';
import { PendingWork } from '../../support/pending-work.ts';
import { open, S, text } from './open-panel.ts';

describe('the panel before all is loaded', () => {
  it('shows its session; pending changes follow, and what is asked about them waits', async () => {
    const read = Promise.withResolvers<void>();
    let work: PendingWork | undefined;
    const { clock, stage, mirror } = await open((made) => {
      work = new PendingWork(made.clock);
      made.reviews = work.reviews;
      made.reviewsRead = read.promise;
      made.store(S, 'user', [text('Make it better')]);
    });
    const shown = mirror.snapshot;
    assert.deepEqual(
      [shown?.session.id, shown?.session.loading, shown?.session.messages.length],
      [S, false, 1],
    );
    await work?.edit('a.ts', ['one', 'two']);
    assert.equal(mirror.snapshot?.review.totals.hunks, 0);
    const asked = mirror.request('unfoldChanges', { unfolded: true });
    const { snapshots } = mirror;
    read.resolve();
    await asked;
    await clock.advance(1000);
    const { totals, unfolded } = mirror.snapshot.review;
    assert.deepEqual([totals.hunks, unfolded], [1, true]);
    assert.equal(mirror.snapshots, snapshots, 'what is on screen is not sent anew');
    stage.panel.dispose();
    work?.[Symbol.dispose]();
  });
});

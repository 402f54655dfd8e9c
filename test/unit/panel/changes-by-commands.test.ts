import assert from 'node:assert/strict';
import { reviewHandlers } from '../../../src/panel/handlers/review-handlers.ts';
import { pendingList } from '../../../src/panel/review/pending-list.ts';
import type { PanelReviewing } from '../../../src/panel/services.ts';
import type { RequestParams } from '../../../src/protocol/requests.ts';
import type { DecidedView } from '../../../src/protocol/review-view.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { PendingWork } from '../../support/pending-work.ts';

type Selection = RequestParams<'decideChanges'>['selection'];

const [BEFORE, AFTER] = ['one\ntwo', 'ONE\ntwo'];

describe('changes by commands in the panel', () => {
  let work: PendingWork;

  beforeEach(async () => {
    work = new PendingWork(new FakeClock());
    await work.edit('a.ts', [BEFORE, AFTER]);
    await work.edit('b.ts', [BEFORE, AFTER], { by: 'command' });
  });
  afterEach(() => work[Symbol.dispose]());

  const list = () =>
    pendingList(work.reviews, {
      roots: [work.folder],
      title: () => '',
      text: () => '',
      evidence: () => undefined,
    });
  const reject = async (selection: Selection): Promise<DecidedView> => {
    const reviewing: Partial<PanelReviewing> = {
      reviews: work.reviews,
      roots: () => [work.folder],
    };
    const control = { seen: () => list().seen, refresh: () => undefined, unfold: () => undefined };
    const { decideChanges } = reviewHandlers(reviewing as PanelReviewing, control, {
      unfoldChanges: () => undefined,
    });
    return decideChanges({ decision: 'undo', version: 1, selection });
  };

  it('stay when everything or a request is undone, which says how many, and are undone by file', async () => {
    const all = await reject({ of: 'all' });
    assert.deepEqual([all.done, all.left], [1, 1]);
    assert.deepEqual([work.text('a.ts'), work.text('b.ts')], [BEFORE, AFTER]);
    const [group] = list().view.groups;
    const request = { sessionId: group?.sessionId ?? '', messageId: group?.messageId ?? '' };
    const ofRequest = await reject({ of: 'request', ...request });
    assert.deepEqual([ofRequest.done, ofRequest.left], [0, 1]);
    await reject({ of: 'file', path: work.at('b.ts'), ...request });
    assert.equal(work.text('b.ts'), BEFORE);
  });
});

import assert from 'node:assert/strict';
import { DetachedRuns } from '../../../src/core/run/detached-runs.ts';
import type { LeaseOwner } from '../../../src/core/ports/store/leases.ts';
import { MapValues } from '../../support/map-values.ts';

const owner = (processId: number, more: Partial<LeaseOwner> = {}): LeaseOwner => ({
  processId,
  birth: 'b',
  bootId: 'boot',
  self: false,
  alive: true,
  ...more,
});

/** One store: who owns the session now, and the runs as each process has them. */
function store() {
  const present: { owner: LeaseOwner | undefined } = { owner: undefined };
  const values = new MapValues();
  const seenBy = (processId: number) =>
    new DetachedRuns({
      values,
      leases: {
        owner: async () => present.owner,
        claim: async () => {
          present.owner ??= owner(processId);
          const owned = present.owner.processId === processId;
          return { owned, owner: present.owner };
        },
      },
    });
  return { present, away: seenBy(7), window: seenBy(1) };
}

describe('the mark of a run in the background', () => {
  it('counts while its process owns the session, and not for another owner of the same number', async () => {
    const { present, away, window } = store();
    assert.equal(await window.of('s'), undefined);
    assert.equal(await away.claim('s'), true);
    assert.equal(await window.of('s'), 'working');
    present.owner = owner(7, { alive: false });
    assert.equal(await window.of('s'), undefined, 'it was killed');
    present.owner = owner(7, { birth: 'later' });
    assert.equal(await window.of('s'), undefined, 'its number was given anew');
    present.owner = undefined;
    assert.equal(await window.of('s'), undefined, 'it gave the session back');
  });

  it('is not left where another process has the session', async () => {
    const { present, away, window } = store();
    present.owner = owner(3);
    assert.equal(await away.claim('s'), false);
    assert.equal(await window.of('s'), undefined);
  });

  it('carries wishes to the process: a stop counts before a way back, whoever was first', async () => {
    const { away, window } = store();
    assert.equal(await window.wish('s', 'stop'), false);
    await away.claim('s');
    assert.equal(await window.wish('s', 'return'), true);
    assert.deepEqual([await window.of('s'), await away.wished('s')], ['returning', 'return']);
    await window.wish('s', 'stop');
    await window.wish('s', 'return');
    assert.deepEqual([await window.of('s'), await away.wished('s')], ['stopping', 'stop']);
    await away.hasStopped('s');
    assert.deepEqual([await window.of('s'), await away.wished('s')], ['returning', 'return']);
  });

  it('brings no wish to another process than it was for', async () => {
    const { present, away, window } = store();
    await away.claim('s');
    await window.wish('s', 'stop');
    present.owner = owner(7, { birth: 'later' });
    await away.claim('s');
    assert.deepEqual([await window.of('s'), await away.wished('s')], ['working', undefined]);
  });

  it('keeps what two windows wish at once', async () => {
    const { away, window } = store();
    await away.claim('s');
    await Promise.all([window.wish('s', 'stop'), window.wish('s', 'return')]);
    assert.equal(await away.wished('s'), 'stop');
    await away.hasStopped('s');
    assert.equal(await away.wished('s'), 'return');
  });
});

import assert from 'node:assert/strict';
import { LeaseWatch } from '../../../src/store/engine/runs/leases.ts';

const lease = (renewals: number) => ({ process_id: 1, birth: 'b', boot_id: 'elsewhere', renewals });

describe('store: owners that can only be watched', () => {
  it('one in another container is dead after 60 s without renewal, by this process’s monotonic clock', async () => {
    let now = 0;
    const watch = new LeaseWatch(
      () => Promise.resolve('elsewhere'),
      () => now,
    );
    assert.equal(await watch.alive('s', lease(1)), true);
    now = 59_000;
    assert.equal(await watch.alive('s', lease(1)), true);
    assert.equal(await watch.alive('s', lease(2)), true, 'it has renewed');
    now = 118_999;
    assert.equal(await watch.alive('s', lease(2)), true);
    now = 119_000;
    assert.equal(await watch.alive('s', lease(2)), false);
    assert.equal(await watch.alive('t', lease(2)), true, 'another session is watched by itself');
  });

  it('one on this machine is judged at once', async () => {
    let liveness: 'alive' | 'dead' = 'alive';
    const watch = new LeaseWatch(() => Promise.resolve(liveness));
    assert.equal(await watch.alive('s', lease(1)), true);
    liveness = 'dead';
    assert.equal(await watch.alive('s', lease(1)), false);
  });
});

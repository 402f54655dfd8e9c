import assert from 'node:assert/strict';
import type { WorkspaceSnapshots } from '../../../src/core/ports/files/workspace-snapshots.ts';
import { RequestCheckpoints } from '../../../src/core/restore/request-checkpoints.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';

describe('a checkpoint before a request that takes long', () => {
  const never = { take: () => new Promise(() => undefined) } as unknown as WorkspaceSnapshots;
  const made = (clock: FakeClock, isEnabled = true): RequestCheckpoints =>
    new RequestCheckpoints({
      snapshots: never,
      values: new MapValues(),
      clock,
      log: silentLog,
      roots: () => ['/workspace'],
      enabled: () => isEnabled,
    });

  it('is waited for one second after the request, not one second a call', async () => {
    const clock = new FakeClock();
    const checkpoints = made(clock);
    checkpoints.begin('s', 'm');
    await clock.advance(600);
    let went = 0;
    const call = checkpoints.ready('s').then(() => (went += 1));
    await clock.advance(399);
    assert.equal(went, 0);
    await clock.advance(1);
    await call;
    assert.equal(went, 1);
    await checkpoints.ready('s');
    await checkpoints.ready('other session');
    assert.equal(clock.pending, 0, 'no timer is left');
  });

  it('is not begun where checkpoints are switched off', async () => {
    const clock = new FakeClock();
    const checkpoints = made(clock, false);
    checkpoints.begin('s', 'm');
    await checkpoints.ready('s');
    await checkpoints.settled();
    assert.equal(clock.pending, 0);
  });
});

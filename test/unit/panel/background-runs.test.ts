import assert from 'node:assert/strict';
import type { DetachedState } from '../../../src/domain/run.ts';
import { begin, open, S } from './open-panel.ts';

/** A panel with a session in the background, or on its way. */
const openAway = (state: DetachedState) =>
  open((stage) => {
    stage.detached.set(S, state);
    stage.runs.push({
      id: 'r1',
      sessionId: S,
      state: 'running',
      iteration: 1,
      model: 'x',
      mode: 'ask',
      cancelRequested: false,
      resumeAvailable: false,
      startedAt: 0,
      heartbeatAt: 0,
    });
  });

describe('a session in the background, in the panel', () => {
  it('is shown and marked as such, stopped and taken back there', async () => {
    const { stage, mirror } = await openAway('working');
    assert.equal(mirror.session.elsewhere, true);
    assert.equal(mirror.session.detached, 'working');
    const row = mirror.snapshot?.sessions.rows.find(({ id }) => id === S);
    assert.equal(row?.state, 'background');
    await mirror.request('stop', { sessionId: S });
    await mirror.request('takeBack', { sessionId: S });
    assert.deepEqual(stage.calls.slice(-2), [`stopAway ${S}`, `takeBack ${S}`]);
  });

  it('runs here until it has left, and then nothing of it moves here any more', async () => {
    const { stage, mirror, clock } = await openAway('leaving');
    stage.busy.add(S);
    begin(stage);
    await clock.advance(100);
    assert.equal(mirror.session.run.phase, 'starting');
    assert.equal(mirror.session.elsewhere, false);
    assert.equal(mirror.session.detached, 'leaving');
    await mirror.request('toBackground', { sessionId: S });
    assert.equal(stage.calls.at(-1), `handOver ${S}`);
    await mirror.request('stop', { sessionId: S });
    assert.equal(stage.calls.at(-1), `cancel ${S}`, 'what runs here is stopped here');
    stage.busy.delete(S);
    stage.publish(S, { type: 'agent_run.handed_over' });
    await clock.advance(100);
    assert.equal(mirror.session.run.phase, 'idle');
    assert.equal(mirror.session.elsewhere, true);
    assert.deepEqual(mirror.session.notices, [], 'it has not ended');
  });
});

import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { WorkTime } from '../../../src/core/policies/work-time.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('work time', () => {
  it('C5: counts work, not the time spent waiting for the human', async () => {
    const clock = new FakeClock();
    const work = new WorkTime(clock, 500);
    await clock.advance(1000);
    const first = work.pause();
    await clock.advance(5000);
    const second = work.pause();
    first.dispose();
    first.dispose();
    await clock.advance(5000);
    assert.equal(work.activeMs, 1500, 'two waits overlap; each ends once');
    second.dispose();
    await clock.advance(250);
    assert.equal(work.activeMs, 1750);
  });

  it('C5: a clock that jumps changes nothing', async () => {
    const clock = new FakeClock();
    const work = new WorkTime(clock);
    clock.jump(86_400_000);
    await clock.advance(10);
    assert.equal(work.activeMs, 10);
  });

  it('C5: the deadline fires after the work, and waits with it', async () => {
    const clock = new FakeClock();
    const work = new WorkTime(clock, 400);
    const deadline = work.deadline(1000);
    const { signal } = deadline;
    await clock.advance(300);
    const wait = work.pause();
    work.pause().dispose();
    assert.equal(clock.pending, 0, 'nothing wakes up while it waits');
    await clock.advance(10_000);
    assert.equal(signal.aborted, false);
    wait.dispose();
    await clock.advance(299);
    assert.equal(signal.aborted, false);
    await clock.advance(1);
    assert.equal(signal.aborted, true);
    assert.ok(signal.reason instanceof BelayError);
    assert.equal(signal.reason.code, 'time_limit');
    deadline.dispose();
    assert.equal(clock.pending, 0);
  });

  it('C5: a deadline that has passed fires at once; one set during a wait comes after it', async () => {
    const clock = new FakeClock();
    const work = new WorkTime(clock, 1000);
    assert.equal(work.deadline(1000).signal.aborted, true);
    assert.equal(work.deadline(1001).signal.aborted, false);
    const wait = work.pause();
    const late = work.deadline(1100);
    await clock.advance(1000);
    assert.equal(late.signal.aborted, false);
    wait.dispose();
    await clock.advance(100);
    assert.equal(late.signal.aborted, true);
  });

  it('B14: a disposed deadline leaves no timer and does not come back after a wait', async () => {
    const clock = new FakeClock();
    const work = new WorkTime(clock);
    const deadline = work.deadline(1000);
    deadline.dispose();
    work.pause().dispose();
    await clock.advance(5000);
    assert.equal(clock.pending, 0);
    assert.equal(deadline.signal.aborted, false);
  });
});

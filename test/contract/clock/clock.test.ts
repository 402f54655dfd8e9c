import assert from 'node:assert/strict';
import { isAbortError } from '../../../src/domain/lifetime/abort.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';

interface Subject {
  readonly clock: Clock;
  /** Lets time pass on this clock. */
  readonly pass: (ms: number) => Promise<void>;
}

const subjects: Record<string, () => Subject> = {
  'the system clock': () => {
    const clock = new SystemClock();
    return { clock, pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms + 20)) };
  },
  'the fake clock': () => {
    const clock = new FakeClock();
    return { clock, pass: (ms) => clock.advance(ms) };
  },
};

for (const [name, make] of Object.entries(subjects)) {
  describe(`contract of Clock: ${name}`, () => {
    it('moves both hands forward as time passes', async () => {
      const { clock, pass } = make();
      const [wall, mono] = [clock.now(), clock.monotonic()];
      await pass(30);
      assert.ok(clock.now() >= wall + 29, 'the wall clock stood still');
      assert.ok(clock.monotonic() >= mono + 29, 'the monotonic clock stood still');
    });

    it('fires a timer once, not early', async () => {
      const { clock, pass } = make();
      let fired = 0;
      const began = clock.monotonic();
      let at = 0;
      clock.after(20, () => {
        fired += 1;
        at = clock.monotonic();
      });
      assert.equal(fired, 0);
      await pass(30);
      await pass(30);
      assert.equal(fired, 1);
      // Timers count from the start of the event loop's turn, which a busy machine stretches.
      assert.ok(at - began >= 10, `fired after ${at - began} ms`);
    });

    it('fires timers in the order in which they are due, and equal ones in the order they were set', async () => {
      const { clock, pass } = make();
      const order: string[] = [];
      clock.after(30, () => order.push('late'));
      clock.after(1, () => order.push('early'));
      clock.after(30, () => order.push('late too'));
      await pass(60);
      assert.deepEqual(order, ['early', 'late', 'late too']);
    });

    it('never fires what was disposed of', async () => {
      const { clock, pass } = make();
      let fired = 0;
      clock.after(10, () => (fired += 1)).dispose();
      clock.every(10, () => (fired += 1)).dispose();
      await pass(40);
      assert.equal(fired, 0);
    });

    it('repeats until disposed, also from within the callback', async () => {
      const { clock, pass } = make();
      let fired = 0;
      const timer = clock.every(5, () => {
        fired += 1;
        if (fired === 3) timer.dispose();
      });
      await pass(200);
      assert.equal(fired, 3);
    });

    it('sleeps, and wakes with an AbortError when the signal fires, whatever its reason', async () => {
      const { clock, pass } = make();
      const controller = new AbortController();
      const slept = clock.sleep(5);
      const stopped = assert.rejects(clock.sleep(60_000, controller.signal), isAbortError);
      await pass(10);
      await slept;
      controller.abort('needs_human');
      await stopped;
    });

    it('does not begin to sleep on a signal that has already fired', async () => {
      const { clock } = make();
      await assert.rejects(clock.sleep(60_000, AbortSignal.abort('gone')), isAbortError);
    });

    it('waits for more than 24.8 days without firing at once', async () => {
      const { clock, pass } = make();
      let fired = 0;
      const far = [
        clock.after(2 ** 31 + 5, () => (fired += 1)),
        clock.after(Infinity, () => (fired += 1)),
      ];
      await pass(20);
      assert.equal(fired, 0);
      for (const timer of far) timer.dispose();
    });
  });
}

describe('FakeClock', () => {
  it('counts the timers that wait, sleeps included', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const asleep = assert.rejects(clock.sleep(50, controller.signal), isAbortError);
    assert.equal(clock.pending, 1);
    assert.equal(clock.next, 50);
    controller.abort();
    await asleep;
    assert.equal(clock.pending, 0);
  });

  it('lets the wall clock jump without touching durations', () => {
    const clock = new FakeClock(1000);
    clock.jump(-86_400_000);
    assert.equal(clock.now(), 1000 - 86_400_000);
    assert.equal(clock.monotonic(), 0);
  });

  it('fires timers that are set while time passes', async () => {
    const clock = new FakeClock();
    const seen: number[] = [];
    clock.after(10, () => clock.after(10, () => seen.push(clock.monotonic())));
    await clock.advance(20);
    assert.deepEqual(seen, [20]);
  });
});

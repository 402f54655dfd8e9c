import assert from 'node:assert/strict';
import { patientRecorder } from '../../../src/core/run/patient-recorder.ts';
import type { Write } from '../../../src/core/ports/store/recorder.ts';
import { BelayError, tells } from '../../../src/domain/failure.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { diskFull, MemoryRecorder, silentLog } from '../../support/memory-recorder.ts';

const write = (id: string): Write[] => [{ kind: 'dequeued', id }];
const idsOf = (recorder: MemoryRecorder): string[] =>
  recorder.writes.flatMap((done) => (done.kind === 'dequeued' ? [done.id] : []));

function made(signal = new AbortController().signal) {
  const inner = new MemoryRecorder();
  const clock = new FakeClock();
  const warnings: string[] = [];
  const recorder = patientRecorder(inner, {
    clock,
    log: silentLog,
    signal,
    warn: (...sentences) => warnings.push(tells(...sentences).message),
  });
  return { inner, clock, warnings, recorder };
}

describe('the patient recorder', () => {
  it('holds the run while the disk is full, says so once, and loses nothing', async () => {
    const { inner, clock, warnings, recorder } = made();
    inner.refuse = diskFull();
    const done = Promise.all([recorder.commit(write('a')), recorder.commit(write('b'))]);
    await clock.advance(5000);
    assert.deepEqual(idsOf(inner), []);
    assert.equal(warnings.length, 1);
    inner.refuse = undefined;
    const third = recorder.commit(write('c'));
    await clock.advance(5000);
    await done;
    await third;
    assert.deepEqual(idsOf(inner).toSorted(), ['a', 'b', 'c']);
    assert.equal(idsOf(inner).at(-1), 'c');
  });

  it('durability 8: the message is there within 2 s, and 2 s after there is room all is on disk', async () => {
    const { inner, clock, warnings, recorder } = made();
    inner.refuse = diskFull();
    const done = recorder.commit(write('a'));
    await clock.advance(2000);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /goes on by itself/u);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await clock.advance(clock.next ?? assert.fail());
      assert.ok((clock.next ?? Infinity) <= 2000, 'from one try to the next');
    }
    inner.refuse = undefined;
    await clock.advance(2000);
    assert.deepEqual(idsOf(inner), ['a']);
    await done;
    inner.refuse = diskFull();
    const again = recorder.commit(write('b'));
    await clock.advance(2000);
    assert.equal(warnings.length, 2, 'a disk that is full once more is told once more');
    inner.refuse = undefined;
    await clock.advance(2000);
    await again;
  });

  it('throws at once what cannot pass', async () => {
    const { inner, recorder } = made();
    inner.refuse = new BelayError({ code: 'store', message: 'damaged' });
    await assert.rejects(recorder.commit(write('a')), { code: 'store' });
  });

  it('stops waiting when the run is stopped', async () => {
    const abort = new AbortController();
    const { inner, clock, recorder } = made(abort.signal);
    inner.refuse = diskFull();
    const waiting = assert.rejects(recorder.commit(write('a')), { name: 'AbortError' });
    await clock.advance(1500);
    abort.abort();
    await waiting;
    assert.equal(clock.pending, 0);
  });
});

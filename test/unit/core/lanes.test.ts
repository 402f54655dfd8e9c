import assert from 'node:assert/strict';
import { Lanes } from '../../../src/core/run/session/lanes.ts';
import type { QueuedMessage } from '../../../src/domain/session/session.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { countingIds, diskFull, MemoryRecorder, silentLog } from '../../support/memory-recorder.ts';

interface Made {
  readonly lanes: Lanes;
  readonly recorder: MemoryRecorder;
  /** Sessions whose lane was told to have changed. */
  readonly changes: string[];
  /** What another window has left on disk. */
  readonly stored: { queued: readonly QueuedMessage[] };
}

function made(queued: readonly QueuedMessage[] = []): Made {
  const recorder = new MemoryRecorder();
  const changes: string[] = [];
  const stored = { queued };
  const lanes = new Lanes(
    {
      recorder,
      ids: countingIds(),
      clock: new FakeClock(),
      broker: { publish: (sessionId) => changes.push(sessionId) },
      runs: { queued: async () => stored.queued },
      log: silentLog,
      isBusy: () => false,
    },
    queued,
  );
  return { lanes, recorder, changes, stored };
}
const texts = (lanes: Lanes, session = 's'): string[] =>
  lanes.list(session).map((queued) => queued.text);

describe('lanes', () => {
  it('C7: keeps the order of sending, each session for itself', async () => {
    const { lanes } = made();
    await lanes.add('s', 'one', [], 'queue');
    await lanes.add('t', 'other', [], 'queue');
    await lanes.add('s', 'two', [], 'queue');
    assert.deepEqual(texts(lanes), ['one', 'two']);
    assert.equal(lanes.takeNext('s')?.text, 'one');
    assert.deepEqual(texts(lanes, 't'), ['other']);
  });

  it('C7: a queued message is on disk before anybody is told', async () => {
    const { lanes, recorder, changes } = made();
    const adding = lanes.add('s', 'one', [], 'queue');
    assert.deepEqual(changes, []);
    await adding;
    assert.equal(recorder.writes[0]?.kind, 'queued');
    assert.deepEqual(changes, ['s']);
  });

  it('C7: a message that could not be written is not queued', async () => {
    const { lanes, recorder } = made();
    recorder.refuse = diskFull();
    await assert.rejects(lanes.add('s', 'one', [], 'queue'), { code: 'store' });
    assert.deepEqual(texts(lanes), []);
  });

  it('C7: edits, moves and removes, and records each', async () => {
    const { lanes, recorder } = made();
    const one = await lanes.add('s', 'one', [], 'queue');
    const two = await lanes.add('s', 'two', [], 'queue');
    await lanes.edit(two.id, 'zwei');
    await lanes.move(two.id, 0);
    assert.deepEqual(texts(lanes), ['zwei', 'one']);
    const rows = new Map(
      recorder.writes.flatMap((write) =>
        write.kind === 'queued' ? [[write.queued.id, write.queued] as const] : [],
      ),
    );
    const restored = made([...rows.values()]).lanes;
    assert.deepEqual(texts(restored), ['zwei', 'one']);
    await lanes.remove(one.id);
    assert.deepEqual(texts(lanes), ['zwei']);
    assert.deepEqual(recorder.writes.at(-1), { kind: 'dequeued', id: one.id });
  });

  it('C7: stop and send goes before what waits already, also after a restart', async () => {
    const { lanes, recorder } = made();
    await lanes.add('s', 'later', [], 'queue');
    await lanes.add('s', 'now', [], 'queue', 'first');
    const restored = made(
      recorder.writes.flatMap((write) => (write.kind === 'queued' ? [write.queued] : [])),
    ).lanes;
    assert.deepEqual(texts(restored), ['now', 'later']);
  });

  it('C7: steering takes only the messages meant for the running run', async () => {
    const { lanes } = made();
    await lanes.add('s', 'next', [], 'queue');
    await lanes.add('s', 'mind this', [], 'steer');
    assert.deepEqual(
      lanes.takeSteering('s').map((queued) => queued.text),
      ['mind this'],
    );
    assert.deepEqual(texts(lanes), ['next']);
  });

  it('C7: editing a message that was sent meanwhile says so', async () => {
    const { lanes } = made();
    const one = await lanes.add('s', 'one', [], 'queue');
    lanes.takeNext('s');
    await assert.rejects(lanes.edit(one.id, 'x'), { code: 'not_found' });
  });
});

describe('lanes of two windows', () => {
  it('C7: takes over what another window has changed, but not over what is being written here', async () => {
    const { lanes, recorder, changes, stored } = made();
    const one = await lanes.add('s', 'one', [], 'queue');
    const adding = lanes.add('s', 'two', [], 'queue');
    stored.queued = [{ ...one, text: 'uno' }];
    await lanes.refresh();
    const two = await adding;
    assert.deepEqual(texts(lanes), ['uno', 'two']);
    const removing = lanes.remove(one.id);
    stored.queued = [one, two];
    await lanes.refresh();
    await removing;
    assert.deepEqual(texts(lanes), ['two']);
    stored.queued = [];
    await lanes.refresh();
    assert.deepEqual(texts(lanes), []);
    const told = changes.length;
    stored.queued = [];
    await lanes.refresh();
    assert.equal(changes.length, told, 'nothing changed, nobody is told');
    assert.ok(recorder.writes.length > 0);
  });

  it('C7: a message that could not be removed or added is where it was', async () => {
    const { lanes, recorder } = made();
    await lanes.add('s', 'one', [], 'queue');
    const two = await lanes.add('s', 'two', [], 'queue');
    await lanes.add('s', 'three', [], 'queue');
    recorder.refuse = diskFull();
    await assert.rejects(lanes.remove(two.id), { code: 'store' });
    await assert.rejects(lanes.move(two.id, 0), { code: 'store' });
    assert.deepEqual(texts(lanes), ['one', 'two', 'three']);
    const adding = assert.rejects(lanes.add('s', 'four', [], 'queue'), { code: 'store' });
    lanes.takeNext('s');
    await adding;
    assert.deepEqual(texts(lanes), ['two', 'three']);
  });

  it('C7: steering that could not be recorded waits again, in front and in its order', async () => {
    const { lanes } = made();
    await lanes.add('s', 'one', [], 'steer');
    await lanes.add('s', 'two', [], 'steer');
    await lanes.add('s', 'three', [], 'queue');
    lanes.putBack(...lanes.takeSteering('s'));
    assert.deepEqual(texts(lanes), ['one', 'two', 'three']);
  });
});

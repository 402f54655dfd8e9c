import assert from 'node:assert/strict';
import { Lanes } from '../../../src/core/run/lanes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { countingIds, diskFull, MemoryRecorder } from '../../support/memory-recorder.ts';

function made(): { lanes: Lanes; recorder: MemoryRecorder; changes: string[] } {
  const recorder = new MemoryRecorder();
  const changes: string[] = [];
  const lanes = new Lanes({
    recorder,
    ids: countingIds(),
    clock: new FakeClock(),
    changed: (id) => changes.push(id),
  });
  return { lanes, recorder, changes };
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
    const restored = made().lanes;
    const rows = new Map(
      recorder.writes.flatMap((write) =>
        write.kind === 'queued' ? [[write.queued.id, write.queued] as const] : [],
      ),
    );
    restored.restore([...rows.values()]);
    assert.deepEqual(texts(restored), ['zwei', 'one']);
    await lanes.remove(one.id);
    assert.deepEqual(texts(lanes), ['zwei']);
    assert.deepEqual(recorder.writes.at(-1), { kind: 'dequeued', id: one.id });
  });

  it('C7: stop and send goes before what waits already, also after a restart', async () => {
    const { lanes, recorder } = made();
    await lanes.add('s', 'later', [], 'queue');
    await lanes.add('s', 'now', [], 'queue', 'first');
    const restored = made().lanes;
    restored.restore(
      recorder.writes.flatMap((write) => (write.kind === 'queued' ? [write.queued] : [])),
    );
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
    const { lanes, recorder, changes } = made();
    const one = await lanes.add('s', 'one', [], 'queue');
    const adding = lanes.add('s', 'two', [], 'queue');
    lanes.refresh('s', [{ ...one, text: 'uno' }]);
    const two = await adding;
    assert.deepEqual(texts(lanes), ['uno', 'two']);
    const removing = lanes.remove(one.id);
    lanes.refresh('s', [one, two]);
    await removing;
    assert.deepEqual(texts(lanes), ['two']);
    lanes.refresh('s', []);
    assert.deepEqual(texts(lanes), []);
    const told = changes.length;
    lanes.refresh('s', []);
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

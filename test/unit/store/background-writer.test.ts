import assert from 'node:assert/strict';
import type { RunEvent } from '../../../src/domain/event.ts';
import { BackgroundWriter } from '../../../src/store/background-writer.ts';
import type { Background } from '../../../src/store/rpc.ts';
import { message } from '../../contract/store/support.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { diskFull, silentLog } from '../../support/memory-recorder.ts';

const warning = (seq: number): RunEvent => ({
  type: 'warning',
  category: 'Warning',
  message: 'x',
  seq,
  sessionId: 's',
  runId: 'r',
  at: 0,
});

describe('store: drafts and events in the background', () => {
  let clock: FakeClock;
  let written: Background[];
  let full: boolean;
  let writer: BackgroundWriter;
  beforeEach(() => {
    clock = new FakeClock();
    written = [];
    full = false;
    writer = new BackgroundWriter({
      clock,
      log: silentLog,
      epoch: 7,
      write: async (background) => {
        await Promise.resolve();
        if (full) throw diskFull();
        written.push(background);
      },
    });
  });

  it('B3: many drafts become one write, on its way within 250 ms, with the newest text', async () => {
    for (let length = 1; length <= 100; length += 1) writer.draft('s', 'm', 'x'.repeat(length));
    assert.ok((clock.next ?? Infinity) <= 250);
    await clock.advance(250);
    assert.deepEqual(written, [
      {
        drafts: [{ sessionId: 's', messageId: 'm', parts: 'x'.repeat(100) }],
        events: [],
        epoch: 7,
      },
    ]);
    assert.equal(clock.pending, 0, 'idle means no timer');
  });

  it('B3: text that keeps coming is written every 250 ms, not only when it ends', async () => {
    for (let tick = 0; tick < 100; tick += 1) {
      writer.draft('s', 'm', tick);
      await clock.advance(10);
    }
    assert.ok(written.length >= 4 && written.length <= 7, `${written.length} writes in a second`);
  });

  it('a draft whose message is being stored is not written any more', async () => {
    writer.draft('s', 'm-1', 'text');
    writer.supersede([
      { kind: 'message', message: message('s', 1, 'text', { role: 'assistant' }) },
    ]);
    await clock.advance(250);
    assert.deepEqual(written, []);
  });

  it('B7: events wait for nobody and transient ones are not kept', async () => {
    writer.events([warning(1), { ...warning(2), type: 'tool.output', callId: 'c', text: 'x' }]);
    writer.events([warning(3)]);
    assert.equal(written.length, 0);
    await clock.advance(250);
    assert.deepEqual(
      written[0]?.events.map((event) => event.seq),
      [1, 3],
    );
  });

  it('what a full disk refuses is kept and goes with the next write, in order', async () => {
    full = true;
    writer.draft('s', 'm', 'old');
    writer.draft('t', 'n', 'kept');
    writer.events([warning(1)]);
    await clock.advance(250);
    await assert.rejects(writer.flush());
    writer.draft('s', 'm', 'new');
    writer.events([warning(2)]);
    full = false;
    await clock.advance(250);
    assert.equal(written.length, 1);
    const first = written.at(0);
    assert.deepEqual(
      first?.events.map((event) => event.seq),
      [1, 2],
    );
    const drafts = Object.fromEntries(first.drafts.map((one) => [one.sessionId, one.parts]));
    assert.deepEqual(drafts, { s: 'new', t: 'kept' });
  });

  it('does not grow without end while the disk is full: the oldest events go', async () => {
    full = true;
    for (let round = 0; round < 12; round += 1) {
      writer.events(Array.from({ length: 1000 }, (_, index) => warning(round * 1000 + index)));
      await clock.advance(250);
    }
    full = false;
    await writer.flush();
    assert.equal(written[0]?.events.length, 10_000);
    assert.equal(written[0].events.at(-1)?.seq, 11_999);
  });

  it('flush writes at once and waits for what is under way', async () => {
    writer.draft('s', 'm', 1);
    await writer.flush();
    assert.equal(written.length, 1);
    await writer.flush();
    assert.equal(written.length, 1, 'nothing new, nothing written');
  });

  it('leaves no timer behind when disposed of', () => {
    writer.draft('s', 'm', 1);
    writer.dispose();
    assert.equal(clock.pending, 0);
  });
});

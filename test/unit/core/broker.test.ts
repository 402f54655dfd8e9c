import assert from 'node:assert/strict';
import { EventBroker } from '../../../src/core/session/event-broker.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const broker = (): EventBroker => new EventBroker(new FakeClock(), silentLog);
const warn = (to: EventBroker, text: string): void =>
  to.publish('s', 'r', { type: 'warning', message: text });

describe('the event broker', () => {
  it('B7: numbers events without gaps and calls listeners in order', () => {
    const events = broker();
    const seen: number[] = [];
    events.listen((event) => seen.push(event.seq));
    for (let index = 0; index < 5; index += 1) warn(events, 'x');
    assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  });

  it('B7: a listener that throws harms neither the others nor the publisher', () => {
    const events = broker();
    let seen = 0;
    events.listen(() => {
      throw new Error('broken');
    });
    events.listen(() => {
      seen += 1;
    });
    warn(events, 'x');
    assert.equal(seen, 1);
  });

  it('B7: a slow subscriber loses the oldest events, is told how many, and blocks nobody', async () => {
    const events = broker();
    const slow = events.subscribe();
    for (let index = 0; index < 100; index += 1) warn(events, String(index));
    assert.equal(slow.lost, 36);
    const read: RunEvent[] = [];
    for await (const event of slow) {
      read.push(event);
      if (read.length === 64) break;
    }
    assert.equal(read[0]?.seq, 37);
    assert.equal(read.at(-1)?.seq, 100);
  });

  it('B7: a subscription ends with its signal and leaves nothing behind', async () => {
    const events = broker();
    const abort = new AbortController();
    const stream = events.subscribe(abort.signal);
    const reading = (async () => {
      let count = 0;
      for await (const _event of stream) count += 1;
      return count;
    })();
    warn(events, 'x');
    await Promise.resolve();
    abort.abort();
    assert.equal(await reading, 1);
    assert.equal(events.size, 0);
  });

  it('B7: leaving the loop unsubscribes', async () => {
    const events = broker();
    const stream = events.subscribe();
    warn(events, 'x');
    for await (const _event of stream) break;
    assert.equal(events.size, 0);
  });

  it('B7: an already fired signal subscribes nobody', async () => {
    const events = broker();
    const stream = events.subscribe(AbortSignal.abort());
    assert.equal(events.size, 0);
    for await (const _event of stream) assert.fail('nothing was published');
  });
});

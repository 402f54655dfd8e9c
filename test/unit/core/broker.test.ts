import assert from 'node:assert/strict';
import type { RunEvent } from '../../../src/domain/event.ts';
import { isTransient } from '../../../src/domain/event-catalog.ts';
import { EventBroker } from '../../../src/core/session/event-broker.ts';
import type { EventRecords } from '../../../src/core/session/event-subscription.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { noEvents, silentLog } from '../../support/memory-recorder.ts';

const broker = (records: EventRecords = noEvents): EventBroker =>
  new EventBroker(new FakeClock(), silentLog, records);
const warn = (to: EventBroker, text: string, sessionId = 's'): void =>
  to.publish(sessionId, 'r', { type: 'warning', message: text });
const delta = (to: EventBroker): void =>
  to.publish('s', 'r', {
    type: 'message.delta',
    messageId: 'm',
    index: 0,
    kind: 'text',
    text: 'x',
  });

/** A broker whose kept events can be read again, and a way to fail that. */
function recorded(): { readonly events: EventBroker; readonly kept: RunEvent[]; refuse: boolean } {
  const kept: RunEvent[] = [];
  const made = {
    kept,
    refuse: false,
    events: broker({
      flush: async () => {
        if (made.refuse) throw new Error('The disk is gone.');
        return Promise.resolve();
      },
      events: async (sessionId, after, limit) =>
        Promise.resolve(
          kept
            .filter((event) => event.sessionId === sessionId && event.seq > after)
            .slice(0, limit),
        ),
    }),
  };
  made.events.listen((event) => {
    if (!isTransient(event.type)) kept.push(event);
  });
  return made;
}

async function taken(stream: AsyncIterable<RunEvent>, until: number): Promise<RunEvent[]> {
  const read: RunEvent[] = [];
  for await (const event of stream) {
    read.push(event);
    if (event.seq === until) break;
  }
  return read;
}

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

  it('B7: a slow subscriber loses the oldest events, is told how many, and reads the kept ones again', async () => {
    const { events } = recorded();
    const slow = events.subscribe();
    for (let index = 0; index < 500; index += 1) {
      warn(events, String(index), index % 3 === 0 ? 's' : 't');
      delta(events);
    }
    assert.equal(slow.lost, 936);
    const read = await taken(slow, 1000);
    for (const session of ['s', 't'])
      assert.deepEqual(
        read
          .filter((one) => one.type === 'warning' && one.sessionId === session)
          .map((one) => one.seq),
        Array.from({ length: 500 }, (_, index) => 2 * index + 1).filter(
          (_, index) => (index % 3 === 0) === (session === 's'),
        ),
      );
    // What is kept nowhere stays lost.
    assert.equal(read.filter((one) => one.type === 'message.delta').length, 32);
  });

  it('B7: what happens while it catches up is neither lost nor told twice', async () => {
    const { events } = recorded();
    const slow = events.subscribe();
    for (let index = 0; index < 300; index += 1) warn(events, 'before');
    const read: number[] = [];
    for await (const { seq } of slow) {
      read.push(seq);
      // Ten more for each that is taken: it falls behind again and again.
      if (seq <= 100) for (let index = 0; index < 10; index += 1) warn(events, 'meanwhile');
      if (seq === 1300) break;
    }
    assert.deepEqual(
      read,
      Array.from({ length: 1300 }, (_, index) => index + 1),
    );
  });

  it('B7: where the record cannot be read, the newest are given out all the same', async () => {
    const made = recorded();
    const slow = made.events.subscribe();
    for (let index = 0; index < 100; index += 1) warn(made.events, 'x');
    made.refuse = true;
    const read = await taken(slow, 100);
    assert.deepEqual([read[0]?.seq, read.length, slow.lost], [37, 64, 36]);
  });

  it('B7: a subscriber of one session is told of no other', async () => {
    const { events } = recorded();
    const stream = events.subscribe(undefined, 't');
    warn(events, 'x', 's');
    warn(events, 'x', 't');
    assert.deepEqual(
      (await taken(stream, 2)).map(({ seq }) => seq),
      [2],
    );
  });

  it('B7: a hundred subscribers, asleep, fast and gone, delay nobody', async () => {
    const { events, kept } = recorded();
    const abort = new AbortController();
    const asleep = Array.from({ length: 50 }, () => events.subscribe(abort.signal));
    const counts = Array.from({ length: 50 }, async () => {
      let count = 0;
      for await (const _event of events.subscribe(abort.signal)) count += 1;
      return count;
    });
    for (let index = 0; index < 5000; index += 1) {
      warn(events, 'x');
      if (index % 50 === 0) await new Promise(setImmediate);
    }
    assert.equal(kept.length, 5000);
    assert.ok(asleep.every(({ lost }) => lost === 4936));
    abort.abort();
    assert.deepEqual(new Set(await Promise.all(counts)), new Set([5000]));
    assert.equal(events.size, 1);
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

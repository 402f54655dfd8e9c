import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ServerSentEvents } from '../../../src/providers/http/answer/sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

function decode(text: string, size = Infinity): readonly ServerSentEvent[] {
  const decoder = new ServerSentEvents();
  const all = bytes(text);
  const events: ServerSentEvent[] = [];
  for (let start = 0; start < all.length; start += size)
    for (const { event = '', data } of decoder.push(all.subarray(start, start + size)))
      events.push({ event, data });
  return events;
}

describe('server-sent events', () => {
  const CASES: readonly { what: string; text: string; events: readonly ServerSentEvent[] }[] = [
    { what: 'name and data', text: 'event: a\ndata: b\n\n', events: [{ event: 'a', data: 'b' }] },
    {
      what: 'several lines of data',
      text: 'data: a\ndata:  b\ndata\n\n',
      events: [{ event: '', data: 'a\n b\n' }],
    },
    {
      what: 'comments and unknown fields',
      text: ': hi\nid: 1\nretry: 5\nfoo: bar\nfoo\ndata:x\n\n',
      events: [{ event: '', data: 'x' }],
    },
    {
      what: 'an event without data is none',
      text: 'event: a\n\ndata: b\n\n',
      events: [{ event: '', data: 'b' }],
    },
    { what: 'a byte order mark', text: '\ufeffdata: a\n\n', events: [{ event: '', data: 'a' }] },
    {
      what: 'an unfinished event is dropped',
      text: 'data: a\n\ndata: b\n',
      events: [{ event: '', data: 'a' }],
    },
    {
      what: 'colons in data',
      text: 'data: {"a":"b: c"}\n\n',
      events: [{ event: '', data: '{"a":"b: c"}' }],
    },
    {
      what: 'mixed line ends',
      text: 'event: a\r\ndata: 1\rdata: 2\n\r\ndata: 3\r\r',
      events: [
        { event: 'a', data: '1\n2' },
        { event: '', data: '3' },
      ],
    },
  ];
  for (const { what, text, events } of CASES) {
    it(`s13: ${what}, in chunks of any size`, () => {
      for (const size of [Infinity, 1, 2, 3, 5])
        assert.deepEqual(decode(text, size), events, `chunks of ${size}`);
    });
  }

  it('s13: an event whose last carriage return ends a chunk comes with that chunk', () => {
    const decoder = new ServerSentEvents();
    assert.equal(decoder.push(bytes('data: 1\r\r')).length, 1);
    assert.equal(decoder.push(bytes('\ndata: 2\r\r')).length, 1);
  });

  it('s12, s13: any events in any chunks with any line ends come out as they went in', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((text) => text.replaceAll(/[\r\n]/g, '').toWellFormed());
    const event = fc.record({
      event: line.map((text) => text.trim()),
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        (events, end, size) => {
          const text = events
            .map((one) =>
              [`event: ${one.event}`, ...one.data.map((part) => `data: ${part}`), '', ''].join(end),
            )
            .join('');
          assert.deepEqual(
            decode(text, size),
            events.map((one) => ({ event: one.event, data: one.data.join('\n') })),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});

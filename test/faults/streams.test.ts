import assert from 'node:assert/strict';
import { composedCall, modelRequest, outcomeOf, shownText } from '../support/model-call.ts';
import { named } from '../support/model-server/events.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn, WireEvent } from '../support/model-server/turn.ts';
import { discards, players, waits } from './harness.ts';

const LONG = 'A sentence that is long enough for several pieces of text. '.repeat(6);
const typeOf = (event: WireEvent): string => (event.data as { type: string }).type;
/** Cuts the events before the first one of this type. */
const before = (type: string) => (events: WireEvent[]) =>
  events.slice(
    0,
    events.findIndex((event) => typeOf(event) === type),
  );
const error = (type: string, text: string): WireEvent =>
  named({ type: 'error', error: { type, message: text } });
const withText = (turn: Partial<Turn>): Turn => say(LONG, turn);
const withTool = (turn: Partial<Turn>): Turn => ({
  ...calls(call('write_file', { path: 'a.txt', content: LONG }, 'toolu_cut')),
  ...turn,
});

describe('faults of the stream', () => {
  const { play, serve } = players();

  /** Plays a bad answer, then a good one; nothing of the bad one may be left. */
  async function recovers(
    bad: Turn,
    expected: { readonly shown: boolean; readonly reason: RegExp },
  ): Promise<void> {
    const outcome = await play(
      inOrder(bad, say('Second answer.')),
      {},
      {
        composed: {
          settings: {
            'advanced.streamIdleTimeoutSeconds': 0.3,
            'advanced.streamProgressTimeoutSeconds': 0.3,
          },
        },
      },
    );
    assert.equal(outcome.failure, undefined);
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text: 'Second answer.' }]);
    assert.equal(shownText(outcome.events), 'Second answer.');
    assert.equal(discards(outcome), expected.shown ? 1 : 0);
    assert.match(waits(outcome)[0]?.reason ?? '', expected.reason);
    assert.equal(outcome.server.requests.length, 2);
    assert.equal(
      outcome.server.requests[0]?.text,
      outcome.server.requests[1]?.text,
      'the same request',
    );
  }

  const BROKE_OFF = /The answer broke off/;

  it('s01: an empty body is an error, not an empty answer', () =>
    recovers(
      { body: { text: '', contentType: 'text/event-stream' } },
      { shown: false, reason: BROKE_OFF },
    ));

  it('s02: an error event first is tried again as the HTTP error would be', () =>
    recovers(withText({ edit: () => [error('overloaded_error', 'Overloaded')] }), {
      shown: false,
      reason: /overloaded/,
    }));

  it('s03: an error event after text discards the text', () =>
    recovers(
      withText({
        edit: (events) => [...events.slice(0, 6), error('api_error', 'Internal server error')],
      }),
      { shown: true, reason: /overloaded/ },
    ));

  it('s04: an error event in the middle of tool JSON: the call is never run', () =>
    recovers(
      withTool({
        edit: (events) => [...events.slice(0, 6), error('overloaded_error', 'Overloaded')],
      }),
      { shown: true, reason: /overloaded/ },
    ));

  it('s05: a reset after text', () =>
    recovers(withText({ cut: { how: 'reset', at: { events: 6 } } }), {
      shown: true,
      reason: BROKE_OFF,
    }));

  it('s06: a reset in the middle of tool JSON', () =>
    recovers(withTool({ cut: { how: 'reset', at: { events: 6 } } }), {
      shown: true,
      reason: BROKE_OFF,
    }));

  it('s07: a reset after a whole tool_use block, before message_stop: not run', () =>
    recovers(
      withTool({ edit: before('message_delta'), cut: { how: 'reset', at: { events: 1000 } } }),
      { shown: true, reason: BROKE_OFF },
    ));

  it('s08: a clean end without message_stop', () =>
    recovers(withText({ edit: before('content_block_stop') }), { shown: true, reason: BROKE_OFF }));

  it('s08: a clean end after a whole tool_use block', () =>
    recovers(withTool({ edit: before('message_delta') }), { shown: true, reason: BROKE_OFF }));

  it('s08: half an event at the end does not count', () =>
    recovers(
      withText({ edit: (events) => events.slice(0, -1), cut: { how: 'end', at: { bytes: 1500 } } }),
      { shown: true, reason: BROKE_OFF },
    ));

  it('s09: an end after message_delta without message_stop is asked again once', () =>
    recovers(withText({ edit: before('message_stop') }), { shown: true, reason: BROKE_OFF }));

  it('s09: a server that always ends so is understood from the second time on', async () => {
    const server = await serve({ script: () => withText({ edit: before('message_stop') }) });
    const { call: ask } = composedCall({ baseUrl: server.url });
    assert.deepEqual((await outcomeOf(ask, modelRequest())).answer?.parts, [
      { type: 'text', text: LONG },
    ]);
    assert.equal(server.requests.length, 2);
    assert.equal((await outcomeOf(ask, modelRequest())).answer?.finish, 'end_turn');
    assert.equal(server.requests.length, 3);
  });

  it('s10: a stall after half of the text runs into the idle deadline', () =>
    recovers(withText({ cut: { how: 'hang', at: { events: 6 } } }), {
      shown: true,
      reason: /did not answer in time/,
    }));

  it('s11: pings are life, so the idle deadline leaves a slow answer alone', async () => {
    const outcome = await play(
      () => say('Slow.', { pings: { events: 2, count: 12, everyMs: 50 } }),
      {},
      { composed: { settings: { 'advanced.streamIdleTimeoutSeconds': 0.3 } } },
    );
    assert.equal(shownText(outcome.events), 'Slow.');
    assert.equal(outcome.server.requests.length, 1);
  });

  it('s11: pings are no progress, so the progress deadline ends an answer without content', () =>
    recovers(withText({ pings: { events: 6, count: 40, everyMs: 30 } }), {
      shown: true,
      reason: /did not answer in time/,
    }));

  it('s12: one byte at a time, split in the middle of UTF-8', async () => {
    const text = 'ü世👩‍🚀!';
    const outcome = await play(() => say(text, { chunkBytes: 1, usage: null }));
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text }]);
    assert.equal(shownText(outcome.events), text);
  });

  for (const lineEnd of ['\r\n', '\r', '\n'] as const) {
    it(`s13: ${JSON.stringify(lineEnd)} lines, comments, id and retry fields, data over two lines`, async () => {
      for (const chunkBytes of [1, 7, 4096]) {
        const outcome = await play(() => ({
          ...calls(call('write', { path: 'ä' }, 'toolu_1')),
          usage: null,
          lineEnd,
          decorated: true,
          chunkBytes,
        }));
        assert.deepEqual(outcome.answer?.parts, [
          { type: 'tool_call', id: 'toolu_1', name: 'write', input: { path: 'ä' } },
        ]);
      }
    });
  }

  it('s14: malformed JSON in a data line is an error of the stream', () =>
    recovers(
      withText({
        edit: (events) => [
          ...events.slice(0, 6),
          { event: 'content_block_delta', data: '{"type":"content_block_delta","index":0,' },
          ...events.slice(6),
        ],
        gapMs: 2,
      }),
      { shown: true, reason: BROKE_OFF },
    ));

  it('s15: unknown events are passed over, unknown blocks too, with a word about it', async () => {
    const outcome = await play(() => ({
      content: [
        {
          type: 'raw',
          block: { type: 'hologram', light: 1 },
          deltas: [{ type: 'hologram_delta', light: 2 }],
        },
        { type: 'text', text: 'Known.' },
      ],
      edit: (events) =>
        events.flatMap((event) => [
          named({ type: 'weather', rain: true }),
          event,
          { event: 'odd', data: '42' },
          { event: 'empty', data: '' },
        ]),
    }));
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text: 'Known.' }]);
    assert.equal(outcome.events.filter(({ type }) => type === 'warning').length, 1);
  });

  it('s15: unknown deltas and fields of a known block do no harm', async () => {
    const outcome = await play(() =>
      say('Known.', {
        edit: (events) =>
          events.flatMap((event) =>
            typeOf(event) === 'content_block_stop'
              ? [
                  named({
                    type: 'content_block_delta',
                    index: 0,
                    delta: { type: 'mood_delta', mood: 'fine' },
                  }),
                  event,
                ]
              : [event],
          ),
      }),
    );
    assert.equal(shownText(outcome.events), 'Known.');
  });

  it('s16: nothing after message_stop counts', async () => {
    const outcome = await play(() => withTool({ edit: (events) => [...events, ...events] }));
    assert.equal(outcome.answer?.parts.length, 1);
    assert.equal(outcome.events.filter(({ type }) => type === 'complete').length, 1);
  });

  it('s16: a message that begins twice is broken', () =>
    recovers(withText({ edit: (events) => [...events.slice(0, 6), ...events] }), {
      shown: true,
      reason: BROKE_OFF,
    }));

  it('s17: blocks out of order and interleaved are kept by their index', async () => {
    const outcome = await play(() => ({
      content: [
        { type: 'text', text: 'first '.repeat(9) },
        call('a', { n: 1 }, 'toolu_a'),
        call('b', { n: 2 }, 'toolu_b'),
      ],
      edit: (events) => {
        const of = (index: number): WireEvent[] =>
          events.filter((event) => (event.data as { index?: number }).index === index);
        const [text, a, b] = [of(0), of(1), of(2)];
        const mixed = Array.from({ length: 12 }, (_, at) => [b[at], text[at], a[at]])
          .flat()
          .filter((event) => event !== undefined);
        return [events[0]!, ...mixed, ...events.slice(-2)];
      },
    }));
    assert.deepEqual(outcome.answer?.parts, [
      { type: 'text', text: 'first '.repeat(9) },
      { type: 'tool_call', id: 'toolu_a', name: 'a', input: { n: 1 } },
      { type: 'tool_call', id: 'toolu_b', name: 'b', input: { n: 2 } },
    ]);
  });

  it('s18: deltas and stops of blocks that never started do no harm', async () => {
    const outcome = await play(() =>
      say('Real.', {
        edit: (events) => [
          events[0]!,
          named({
            type: 'content_block_delta',
            index: 9,
            delta: { type: 'input_json_delta', partial_json: '{"a":' },
          }),
          named({ type: 'content_block_stop', index: 8 }),
          named({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'lost' } }),
          named({ type: 'content_block_delta', index: 7 }),
          named({ type: 'content_block_start', index: 6 }),
          ...events.slice(1),
        ],
      }),
    );
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text: 'Real.' }]);
  });

  it('s18: text whose start was lost is kept', async () => {
    const outcome = await play(() =>
      say('Kept.', {
        edit: (events) => events.filter((event) => typeOf(event) !== 'content_block_start'),
      }),
    );
    assert.deepEqual(outcome.answer?.parts, [{ type: 'text', text: 'Kept.' }]);
  });

  it('s19: missing usage is unknown, not zero and no crash', async () => {
    const outcome = await play(() => say('Free?', { usage: null }));
    assert.equal(outcome.answer?.finish, 'end_turn');
    assert.equal(outcome.answer.usage, undefined);
    assert.equal(
      outcome.emitted.some(({ type }) => type === 'model.usage'),
      false,
    );
  });

  it('s19: null fields of usage count as nothing', async () => {
    const outcome = await play(() =>
      say('x', {
        usage: {
          input_tokens: null,
          cache_read_input_tokens: null,
          cache_creation_input_tokens: null,
          output_tokens: 3,
        },
      }),
    );
    assert.deepEqual(outcome.answer?.usage, {
      inputTokens: 0,
      outputTokens: 3,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  it('s08: a stream that always breaks stops after its retries, with what to do', async () => {
    const outcome = await play(() => withTool({ edit: before('message_delta') }));
    assert.equal(outcome.failure?.code, 'stream_broken');
    assert.match(
      outcome.failure.message,
      /broke off.*kept; nothing unfinished was run.*tried 4 times/,
    );
    assert.equal(outcome.server.requests.length, 4);
  });

  it('B12: what a broken attempt had consumed is recorded, under its model', async () => {
    const server = await serve({
      script: inOrder(withText({ cut: { how: 'reset', at: { events: 6 } } }), say('Fine.')),
    });
    const { call: ask, usage } = composedCall({ baseUrl: server.url });
    await outcomeOf(ask, modelRequest());
    assert.equal(usage.length, 2);
    assert.ok(
      usage.every(
        ({ model, cost }) => model === 'claude-sonnet-5-5' && cost !== undefined && cost > 0,
      ),
    );
  });

  it('E1: text is shown before the stream ends', async () => {
    const server = await serve({ script: () => say(LONG, { gapMs: 20 }) });
    const { call: ask } = composedCall({ baseUrl: server.url });
    let first: string | undefined;
    const { emit, ...rest } = {
      emit: () => undefined,
      signal: new AbortController().signal,
      sessionId: 's',
      runId: 'r',
      purpose: 'turn' as const,
    };
    for await (const event of ask(modelRequest(), { ...rest, emit })) {
      if (event.type === 'delta') {
        first = event.text;
        break;
      }
    }
    assert.ok(first !== undefined && LONG.startsWith(first) && first.length < LONG.length);
  });
});

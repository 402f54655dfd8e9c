import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../src/core/model-call/model-call.ts';
import { createDemoProvider } from '../../../src/providers/demo/demo-provider.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { callContext, modelRequest, user } from '../../support/model-call.ts';

const TOOLS = [{ name: 'list_files', description: '', inputSchema: {} }];

/** Starts a call on a clock that the test turns; `events` grows as it goes. */
function start(
  text: string,
  {
    purpose = 'turn',
    signal = new AbortController().signal,
    tools = TOOLS,
  }: {
    readonly purpose?: 'turn' | 'title' | 'summary';
    readonly signal?: AbortSignal;
    readonly tools?: typeof TOOLS;
  } = {},
) {
  const clock = new FakeClock();
  const { call } = createDemoProvider({ clock });
  const events: ModelEvent[] = [];
  const request = modelRequest({ model: 'demo', messages: [user(text)], tools });
  const run = async (): Promise<void> => {
    for await (const event of call(request, { ...callContext(signal), purpose }))
      events.push(event);
  };
  return { clock, events, ended: run() };
}

describe('demo model: streaming', () => {
  it('E1: text arrives word by word, and adds up to the part', async () => {
    const { clock, events, ended } = start('Hello', { tools: [] });
    await clock.advance(59);
    assert.equal(events.length, 0);
    await clock.advance(1 + 3 * 12);
    assert.deepEqual(
      events.slice(0, 4).map((event) => (event.type === 'delta' ? event.text : event.type)),
      ['started', 'I ', 'am ', 'the '],
    );
    assert.ok(!events.some((event) => event.type === 'complete'));
    await clock.advance(60_000);
    await ended;
    const text = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
    const last = events.at(-1);
    assert.ok(last?.type === 'complete');
    assert.deepEqual(last.answer.parts, [{ type: 'text', text }]);
    assert.equal(last.answer.finish, 'end_turn');
    assert.equal(last.answer.model, 'demo');
    assert.ok(
      (last.answer.usage?.inputTokens ?? 0) > 0 && (last.answer.usage?.outputTokens ?? 0) > 50,
    );
    assert.equal(clock.pending, 0);
  });

  it('B8: a call is started, its input arrives as JSON in pieces, then the whole part', async () => {
    const { clock, events, ended } = start('Hello');
    await clock.advance(60_000);
    await ended;
    const started = events.findIndex((event) => event.type === 'tool_call_started');
    const json = events
      .slice(started)
      .flatMap((event) =>
        event.type === 'delta' && event.kind === 'tool_input' ? [event.text] : [],
      )
      .join('');
    const last = events.at(-1);
    assert.ok(last?.type === 'complete');
    const part = last.answer.parts[1];
    assert.ok(part?.type === 'tool_call');
    assert.deepEqual(JSON.parse(json), part.input);
    assert.equal(last.answer.finish, 'tool_use');
    const parts = events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
    assert.deepEqual(parts, last.answer.parts);
  });

  it('D4: an abort ends it at once with canceled, and leaves no timer', async () => {
    const abort = new AbortController();
    const { clock, events, ended } = start('Hello', { tools: [], signal: abort.signal });
    await clock.advance(100);
    const before = events.length;
    abort.abort();
    await ended;
    const last = events.at(-1);
    assert.ok(last?.type === 'failed' && last.failure.code === 'canceled');
    assert.equal(events.length, before + 1);
    assert.equal(clock.pending, 0);
  });

  it('D4: aborted before it begins, it says nothing', async () => {
    const { events, ended } = start('Hello', { signal: AbortSignal.abort() });
    await ended;
    assert.deepEqual(
      events.map((event) => event.type),
      ['failed'],
    );
  });

  it('B10: a title is the first words', async () => {
    const { clock, events, ended } = start('explain this workspace to me as if I were five', {
      purpose: 'title',
    });
    await clock.advance(60_000);
    await ended;
    const last = events.at(-1);
    assert.ok(last?.type === 'complete');
    assert.deepEqual(last.answer.parts, [
      { type: 'text', text: 'explain this workspace to me as if' },
    ]);
  });

  it('B11: a summary names the goal, the last words and the files', async () => {
    const { clock, events, ended } = start(
      '<goal>\nPort it\n</goal>\n\n<record>\nASSISTANT:\n[call read_file {"path":"src/a.ts"}]\n\nTOOLS:\nx\n\nASSISTANT:\nHalf done.\n</record>',
      { purpose: 'summary' },
    );
    await clock.advance(60_000);
    await ended;
    const last = events.at(-1);
    assert.ok(last?.type === 'complete');
    assert.deepEqual(last.answer.parts, [
      { type: 'text', text: '## Goal\nPort it\n\n## State\nHalf done.\n\n## Files\n- src/a.ts' },
    ]);
  });
});

import assert from 'node:assert/strict';
import { categoryOf } from '../../../src/domain/event-catalog.ts';
import type { RunEvent, RunEventBody } from '../../../src/domain/event.ts';
import { filteredEvents, timelineParts, timelineText } from '../../../src/core/session/timeline.ts';

let seq = 0;
const event = (body: RunEventBody): RunEvent => {
  seq += 1;
  return {
    ...body,
    seq,
    sessionId: 's1',
    runId: 'r1',
    at: Date.UTC(2026, 10, 21, 9, 8, 7, seq),
    category: categoryOf(body.type),
  };
};
const prefix = (
  iteration: number,
  cacheReadTokens: number,
  totalInputTokens: number,
  divergence?: string,
): RunEvent =>
  event({
    type: 'model.prefix',
    iteration,
    cacheReadTokens,
    totalInputTokens,
    ...(divergence === undefined ? {} : { divergence }),
  });
const rows = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| '));

describe('the timeline', () => {
  it('C11: a session without events says so', () => {
    const text = timelineText('Empty', []);
    assert.match(text, /^# Timeline: Empty\n[^]*Nothing happened yet\./u);
    assert.doesNotMatch(text, /Prompt cache|\| time/u);
  });

  it('C11 D9: an event is one row: time, category, name, its own fields', () => {
    const text = timelineText('One', [
      event({ type: 'agent.loop.detected', tier: 'identical', tool: 'read_file', level: 2 }),
    ]);
    assert.match(
      rows(text).at(-1) ?? '',
      /^\| 09:08:07\.\d{3} \| Task \| `agent\.loop\.detected` \| tier: identical, tool: read_file, level: 2 \|$/u,
    );
    assert.doesNotMatch(text, /sessionId|runId/u);
  });

  it('C11: kinds and runs can be taken away; what belongs to no run stays', () => {
    const events = [
      event({ type: 'agent_run.stopping' }),
      { ...event({ type: 'warning', message: 'careful' }), runId: 'r2' },
      { ...event({ type: 'session.titled', title: 'Title' }), runId: '' },
    ];
    const { categories, runs } = timelineParts(events);
    assert.deepEqual(
      [...categories],
      [
        ['Task', 2],
        ['Warning', 1],
      ],
    );
    assert.deepEqual(
      [...runs],
      [
        ['r1', 1],
        ['r2', 1],
      ],
    );
    const types = (kinds: readonly ('Task' | 'Warning')[], of: readonly string[]): string[] =>
      filteredEvents(events, { categories: new Set(kinds), runs: new Set(of) }).map(
        ({ type }) => type,
      );
    assert.deepEqual(types(['Task', 'Warning'], ['r2']), ['warning', 'session.titled']);
    assert.deepEqual(types(['Task'], ['r1', 'r2']), ['agent_run.stopping', 'session.titled']);
    assert.match(timelineText('Nothing', []), /Nothing happened yet/u);
  });

  it('C11: what streams is left out; it is in the messages', () => {
    const text = timelineText('Streams', [
      event({ type: 'message.delta', messageId: 'm', index: 0, kind: 'text', text: 'secret-ish' }),
      event({ type: 'tool.output', callId: 'c', text: 'line' }),
      event({ type: 'session.queue', queued: [] }),
    ]);
    assert.match(text, /Nothing happened yet\./u);
  });

  it('C11: a value cannot break the table, and a long one is cut', () => {
    const text = timelineText('Hostile', [
      event({ type: 'warning', message: `a | b\n| c\r\n${'x'.repeat(1000)}` }),
    ]);
    const [row, ...more] = rows(text).slice(2);
    assert.deepEqual(more, []);
    assert.match(row ?? '', /a \\\| b \\\| c x+…/u);
    assert.ok((row ?? '').length < 300);
  });

  it('the cache: share of each request and of all, and where the prompts part', () => {
    const text = timelineText('Cache', [
      prefix(1, 0, 2000),
      prefix(2, 1500, 3000),
      prefix(3, 0, 5000, 'system block 2'),
    ]);
    assert.match(text, /15 % of 10,000 input tokens came from the cache\./u);
    assert.match(text, /\| 1 \| 2000 \| 0 % \| nowhere: it only grew \|/u);
    assert.match(text, /\| 2 \| 3000 \| 50 % \| nowhere: it only grew \|/u);
    assert.match(text, /\| 3 \| 5000 \| 0 % \| system block 2 \|/u);
  });

  it('the cache: a server that counts nothing is no division by zero', () => {
    assert.match(timelineText('Zero', [prefix(1, 0, 0)]), /\| 1 \| 0 \| – \|/u);
  });
});

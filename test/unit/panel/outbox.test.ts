import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Outbox } from '../../../src/panel/outbox.ts';
import { emptyToolView } from '../../../src/panel/cards/tool-view.ts';
import type { Change } from '../../../src/protocol/changes.ts';
import { applyChange } from '../../support/apply-change.ts';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { EMPTY_SESSION, type Snapshot } from '../../../src/protocol/snapshot.ts';
import type { MessageView } from '../../../src/protocol/view.ts';
import { FakeClock } from '../../support/fake-clock.ts';

interface Batch {
  readonly seq: number;
  readonly changes: readonly Change[];
}

function open(): { clock: FakeClock; outbox: Outbox; posted: Batch[] } {
  const clock = new FakeClock();
  const posted: Batch[] = [];
  const outbox = new Outbox(clock, (seq, changes) => posted.push({ seq, changes }));
  return { clock, outbox, posted };
}

const text = (added: string, messageId = 'm', index = 0): Change => ({
  type: 'text',
  messageId,
  index,
  kind: 'text',
  text: added,
});

const message = (id: string, seq: number): MessageView => ({
  id,
  seq,
  role: 'assistant',
  createdAt: 0,
  parts: [{ ...emptyToolView(`call-${id}`, 'run_command') }],
  open: true,
});

describe('the outbox of the panel', () => {
  it('sends the first change at once and joins those of the same tick', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([text('a')]);
    outbox.push([text('b')]);
    assert.equal(posted.length, 0);
    await clock.advance(0);
    assert.deepEqual(posted, [{ seq: 1, changes: [text('ab')] }]);
  });

  it('sends nothing more before the panel has acknowledged, however long it takes', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([text('a')]);
    await clock.advance(0);
    for (let index = 0; index < 500; index += 1) outbox.push([text('x')]);
    await clock.advance(60_000);
    assert.equal(posted.length, 1);
    assert.equal(clock.pending, 0);
    outbox.acknowledge(1);
    await clock.advance(0);
    assert.deepEqual(posted[1], { seq: 2, changes: [text('x'.repeat(500))] });
  });

  it('leaves at least 25 ms between two batches', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([text('a')]);
    await clock.advance(0);
    outbox.acknowledge(1);
    outbox.push([text('b')]);
    await clock.advance(24);
    assert.equal(posted.length, 1);
    await clock.advance(1);
    assert.equal(posted.length, 2);
  });

  it('has no timer when there is nothing to send', async () => {
    const { clock, outbox } = open();
    outbox.push([text('a')]);
    await clock.advance(0);
    outbox.acknowledge(1);
    await clock.advance(1000);
    assert.equal(clock.pending, 0);
  });

  it('ignores an acknowledgement of an older batch', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([text('a')]);
    await clock.advance(0);
    outbox.push([text('b')]);
    outbox.flush();
    outbox.push([text('c')]);
    outbox.acknowledge(1);
    await clock.advance(1000);
    assert.equal(posted.length, 2);
    outbox.acknowledge(2);
    await clock.advance(1000);
    assert.equal(posted.length, 3);
  });

  it('keeps only the newest state of a card and drops live output that the result has replaced', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([
      { type: 'tool', callId: 'c', set: { state: 'running' } },
      { type: 'output', callId: 'c', text: 'long output' },
      { type: 'tool', callId: 'c', set: { state: 'done', output: '' } },
    ]);
    await clock.advance(0);
    let snapshot = snapshotOf([message('m', 1)]);
    for (const change of posted[0]?.changes ?? []) {
      snapshot = applyChange(snapshot, rename(change, 'call-m'));
    }
    const tool = snapshot.session.messages[0]?.parts[0];
    assert.ok(tool?.type === 'tool');
    assert.equal(tool.state, 'done');
    assert.equal(tool.output, '');
  });

  it('keeps the order of a row that goes and comes back', async () => {
    const { clock, outbox, posted } = open();
    const row = { id: 'a', parentId: null, title: 'A', messageCount: 0, updatedAt: 0 };
    const back = { type: 'row', row: { ...row, state: 'running' } } as const;
    outbox.push([
      { type: 'row', row: { ...row, state: 'idle' } },
      { type: 'row_removed', id: 'a' },
      back,
    ]);
    await clock.advance(0);
    assert.deepEqual(posted[0]?.changes.at(-1), back);
  });

  it('forgets what waits when a snapshot takes its place', async () => {
    const { clock, outbox, posted } = open();
    outbox.push([text('old')]);
    assert.equal(outbox.restart(), 1);
    await clock.advance(1000);
    assert.equal(posted.length, 0);
    outbox.acknowledge(1);
    outbox.push([text('new')]);
    await clock.advance(1000);
    assert.deepEqual(posted, [{ seq: 2, changes: [text('new')] }]);
  });

  it('joined batches lead to the same state as the single changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { maxLength: 60 }),
        fc.array(fc.nat(3)),
        async (changes, pauses) => {
          const { clock, outbox, posted } = open();
          let expected = snapshotOf([]);
          let acknowledged = 0;
          for (const [index, change] of changes.entries()) {
            expected = applyChange(expected, change);
            outbox.push([change]);
            const pause = pauses[index] ?? 0;
            if (pause > 0) await clock.advance(pause * 10);
            if (pause > 1 && posted.length > acknowledged) {
              acknowledged = posted.length;
              outbox.acknowledge(acknowledged);
            }
          }
          outbox.flush();
          let shown = snapshotOf([]);
          for (const batch of posted) {
            for (const change of batch.changes) shown = applyChange(shown, change);
          }
          assert.deepEqual(normal(shown), normal(expected));
        },
      ),
      { numRuns: 300 },
    );
  });
});

const id = fc.constantFrom('a', 'b', 'c');
const word = fc.string({ maxLength: 5 });

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    type: fc.constant('message' as const),
    message: fc.tuple(id, fc.nat(5)).map(([name, seq]) => message(name, seq)),
  }),
  fc.record({ type: fc.constant('message_removed' as const), id }),
  fc.record({
    type: fc.constant('message_closed' as const),
    id,
    record: fc.constantFrom(null, { createdAt: 1, model: 'x' }),
  }),
  fc.record({
    type: fc.constant('text' as const),
    messageId: id,
    index: fc.constantFrom(1, 2),
    kind: fc.constantFrom('text' as const, 'reasoning' as const),
    text: word,
  }),
  fc.record({
    type: fc.constant('part' as const),
    messageId: id,
    index: fc.constantFrom(1, 2),
    part: word.map((content) => ({ type: 'text' as const, text: content })),
  }),
  fc.record({
    type: fc.constant('tool' as const),
    callId: id.map((name) => `call-${name}`),
    set: fc.oneof(
      fc.constantFrom('running' as const, 'done' as const).map((state) => ({ state })),
      fc.constant({ output: '' }),
      word.map((note) => ({ note })),
    ),
  }),
  fc.record({
    type: fc.constant('output' as const),
    callId: id.map((name) => `call-${name}`),
    text: word,
  }),
  fc.record({ type: fc.constant('session' as const), set: word.map((title) => ({ title })) }),
  fc.record({
    type: fc.constant('row' as const),
    row: fc.tuple(id, word).map(([name, title]) => ({
      id: name,
      parentId: null,
      title,
      messageCount: 0,
      updatedAt: 0,
      state: 'idle' as const,
    })),
  }),
  fc.record({ type: fc.constant('row_removed' as const), id }),
);

function snapshotOf(messages: readonly MessageView[]): Snapshot {
  return {
    app: {
      hasKey: true,
      offeredKey: null,
      trusted: true,
      hasWorkspace: true,
      lostKey: null,
      serverProblems: [],
    },
    models: [],
    sessions: { rows: [], total: 0, error: null, deleted: null },
    session: { ...EMPTY_SESSION, messages },
    review: EMPTY_REVIEW,
  };
}

/** Rows have no order of their own. */
function normal(snapshot: Snapshot): unknown {
  const rows = snapshot.sessions.rows.toSorted((left, right) => left.id.localeCompare(right.id));
  return { ...snapshot, sessions: { ...snapshot.sessions, rows } };
}

function rename(change: Change, callId: string): Change {
  return change.type === 'tool' || change.type === 'output' ? { ...change, callId } : change;
}

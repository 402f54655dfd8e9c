import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { categoryOf } from '../../../src/domain/event-catalog.ts';
import type { RunEvent, RunEventBody } from '../../../src/domain/event.ts';
import type { Message, Part, ToolResultPart } from '../../../src/domain/message.ts';
import type { SessionChange } from '../../../src/protocol/changes.ts';
import { EMPTY_SESSION } from '../../../src/protocol/snapshot.ts';
import type { ToolView } from '../../../src/protocol/view.ts';
import { messageView } from '../../../src/panel/session/message-view.ts';
import { reduceSession } from '../../../src/panel/session/session-reducer.ts';
import { sessionState } from '../../../src/panel/session/session-state.ts';

const S = 's';

/** Applies events in order; gives the state and the changes of each. */
function play(...events: RunEventBody[]): {
  view: typeof EMPTY_SESSION;
  changes: SessionChange[][];
} {
  let state = sessionState({ ...EMPTY_SESSION, id: S });
  const all: SessionChange[][] = [];
  for (const [index, body] of events.entries()) {
    const event: RunEvent = {
      ...body,
      seq: index + 1,
      sessionId: S,
      runId: 'r',
      at: 1000 + index,
      category: categoryOf(body.type),
    };
    const { state: next, changes } = reduceSession(state, event);
    state = next;
    all.push([...changes]);
  }
  return { view: state.view, changes: all };
}

const started: RunEventBody = { type: 'agent_run.started', model: 'm', resumed: false };
const opened: RunEventBody = { type: 'message.started', messageId: 'a', messageSeq: 1, model: 'm' };
const delta = (
  text: string,
  index = 0,
  kind: 'text' | 'reasoning' | 'tool_input' = 'text',
): RunEventBody => ({
  type: 'message.delta',
  messageId: 'a',
  index,
  kind,
  text,
});
const callStarted: RunEventBody = {
  type: 'message.tool_call_started',
  messageId: 'a',
  index: 0,
  callId: 'c',
  name: 'edit_file',
};
const call: Part = { type: 'tool_call', id: 'c', name: 'edit_file', input: { path: 'src/a.ts' } };
const result: ToolResultPart = {
  type: 'tool_result',
  callId: 'c',
  name: 'edit_file',
  state: 'done',
  content: [{ type: 'text', text: 'Edited.' }],
  elapsedMs: 7,
};

function message(parts: readonly Part[], more: Partial<Message> = {}): Message {
  return {
    id: 'a',
    sessionId: S,
    seq: 1,
    role: 'assistant',
    parts,
    createdAt: 1001,
    model: 'm',
    ...more,
  };
}

function toolOf(view: typeof EMPTY_SESSION): ToolView {
  const tool = view.messages.flatMap(({ parts }) => parts).find((part) => part.type === 'tool');
  assert.ok(tool?.type === 'tool');
  return tool;
}

describe('the state of a session in the panel', () => {
  it('E1: appends deltas, and sends no text again when the part and the message are whole', () => {
    const whole = message([
      { type: 'text', text: 'Hello' },
      { type: 'finish', reason: 'end_turn' },
    ]);
    const { view, changes } = play(
      started,
      opened,
      delta('Hel'),
      delta('lo'),
      { type: 'message.part', messageId: 'a', index: 0, part: { type: 'text', text: 'Hello' } },
      { type: 'message.completed', message: whole },
    );
    assert.deepEqual(view.messages, [messageView(whole)]);
    assert.deepEqual(changes[4], []);
    assert.deepEqual(
      changes[5]?.map((change) => change.type),
      ['part', 'message_closed'],
    );
  });

  it('D4: shows a cut-off answer as it is stored', () => {
    const stored = message([
      { type: 'text', text: 'Hal' },
      { type: 'finish', reason: 'canceled' },
    ]);
    const { view } = play(started, opened, delta('thinking', 0, 'reasoning'), delta('Hal', 1), {
      type: 'message.completed',
      message: stored,
    });
    assert.deepEqual(view.messages, [messageView(stored)]);
  });

  it('E6: a discarded answer leaves nothing', () => {
    const { view } = play(started, opened, delta('wrong'), {
      type: 'message.discarded',
      messageId: 'a',
      reason: 'cut',
    });
    assert.deepEqual(view.messages, []);
  });

  it('names a call while its arguments are still being written, and counts them', () => {
    const { view, changes } = play(
      started,
      opened,
      callStarted,
      delta('{"path": "src/a', 0, 'tool_input'),
      delta('.ts", "edits": "', 0, 'tool_input'),
      delta('x'.repeat(5000), 0, 'tool_input'),
    );
    assert.deepEqual(changes[3], []);
    const tool = toolOf(view);
    assert.equal(tool.state, 'input');
    assert.equal(tool.subject, 'src/a.ts');
    assert.deepEqual(tool.file, { path: 'src/a.ts' });
    assert.equal(tool.input.total, 5031);
    assert.ok(JSON.stringify(changes).length < 2500, 'the arguments themselves are not sent');
  });

  it('follows a call from its arguments to its result', () => {
    const states: string[] = [];
    const events: RunEventBody[] = [
      started,
      opened,
      callStarted,
      { type: 'message.part', messageId: 'a', index: 0, part: call },
      {
        type: 'message.completed',
        message: message([call, { type: 'finish', reason: 'tool_use' }]),
      },
      { type: 'tool.pending', callId: 'c', name: 'edit_file', input: {} },
      { type: 'tool.approval', callId: 'c', name: 'edit_file', questionId: 'q' },
      { type: 'tool.started', callId: 'c', name: 'edit_file' },
      { type: 'tool.output', callId: 'c', text: 'working' },
      { type: 'tool.finished', callId: 'c', name: 'edit_file', result, replayed: true },
      { type: 'message.added', message: message([result], { id: 't', seq: 2, role: 'tool' }) },
    ];
    for (let end = 3; end <= events.length; end += 1)
      states.push(toolOf(play(...events.slice(0, end)).view).state);
    assert.deepEqual(states, [
      'input',
      'pending',
      'pending',
      'pending',
      'approval',
      'running',
      'running',
      'done',
      'done',
    ]);
    const tool = toolOf(play(...events).view);
    assert.deepEqual(tool.result, { text: 'Edited.', total: 7 });
    assert.equal(tool.output, '');
    assert.equal(tool.elapsedMs, 7);
    assert.equal(tool.replayed, true, 'the stored message does not undo what the event said');
  });

  it('C1: shows that a call is tried again, until it is', () => {
    const events: RunEventBody[] = [
      started,
      opened,
      callStarted,
      { type: 'tool.started', callId: 'c', name: 'edit_file' },
      {
        type: 'agent.tool.retry',
        callId: 'c',
        name: 'edit_file',
        attempt: 1,
        waitMs: 500,
        failure: { code: 'timeout', message: 'Too slow.' },
      },
    ];
    assert.deepEqual(toolOf(play(...events).view).retry, {
      attempt: 1,
      until: 1504,
      message: 'Too slow.',
    });
    const again = play(...events, { type: 'tool.started', callId: 'c', name: 'edit_file' });
    assert.equal(toolOf(again.view).retry, null);
  });

  it('C6: “stopping” stays until the end, whatever is still heard', () => {
    const { view } = play(started, opened, { type: 'agent_run.stopping' }, delta('late'), {
      type: 'tool.started',
      callId: 'c',
      name: 'x',
    });
    assert.equal(view.run.phase, 'stopping');
    const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
    const ended = play(
      started,
      { type: 'agent_run.stopping' },
      { type: 'agent_run.cancelled', end },
    );
    assert.equal(ended.view.run.phase, 'idle');
    assert.deepEqual(ended.view.notices, []);
  });

  it('C6: a stop that comes after the end changes nothing', () => {
    const ended: RunEventBody = {
      type: 'agent_run.completed',
      end: { reason: 'done', state: 'completed', canContinue: false },
    };
    const { view, changes } = play(started, opened, ended, { type: 'agent_run.stopping' });
    assert.deepEqual(changes.at(-1), []);
    assert.equal(view.run.phase, 'idle');
  });

  it('nothing moves on after the end of a run', () => {
    const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
    const { view } = play(
      started,
      opened,
      callStarted,
      { type: 'tool.started', callId: 'c', name: 'edit_file' },
      { type: 'agent_run.cancelled', end },
    );
    assert.equal(view.messages[0]?.open, false);
    assert.equal(toolOf(view).state, 'canceled');
  });

  it('D1: offers to continue at the cap, and takes the offer back when a run starts', () => {
    const end = {
      reason: 'max_iterations',
      state: 'failed',
      canContinue: true,
      failure: { code: 'max_iterations', message: 'Paused after 50 steps.' },
    } as const;
    const { view } = play(started, { type: 'agent_run.failed', end });
    assert.deepEqual(
      view.notices.map(({ level, message: told, actions }) => [level, told, actions]),
      [['warning', 'Paused after 50 steps.', ['continue']]],
    );
    const again = play(started, { type: 'agent_run.failed', end }, started);
    assert.deepEqual(again.view.notices, []);
  });

  it('B9: shows the wait before a retry, and forgets it when text comes', () => {
    const waiting: RunEventBody = {
      type: 'model.waiting',
      reason: 'Overloaded',
      attempt: 2,
      attempts: 8,
      until: 9000,
    };
    const { view } = play(started, waiting);
    assert.equal(view.run.phase, 'retrying');
    assert.deepEqual(view.run.retry, {
      reason: 'Overloaded',
      attempt: 2,
      attempts: 8,
      until: 9000,
    });
    const after = play(started, waiting, opened, delta('x'));
    assert.equal(after.view.run.phase, 'streaming');
    assert.equal(after.view.run.retry, null);
  });

  it('A8, B12: adds up tokens and cost; only turns fill the context', () => {
    const usage = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40 };
    const { view } = play(
      started,
      { type: 'model.usage', model: 'm', usage, cost: 0.5, purpose: 'turn' },
      { type: 'model.usage', model: 's', usage, purpose: 'title' },
    );
    assert.deepEqual(view.meter, {
      contextTokens: 100,
      contextLimit: null,
      inputTokens: 160,
      outputTokens: 40,
      cacheReadTokens: 60,
      cost: 0.5,
      costUnknown: true,
    });
  });

  it('keeps at most five notices, the newest', () => {
    const warnings = Array.from({ length: 9 }, (_, index): RunEventBody => ({
      type: 'warning',
      message: `w${index}`,
    }));
    const { view } = play(...warnings);
    assert.deepEqual(
      view.notices.map(({ message: told }) => told),
      ['w4', 'w5', 'w6', 'w7', 'w8'],
    );
  });

  it('is not confused by names that objects have by themselves', () => {
    const id = '__proto__';
    const { view } = play(
      started,
      opened,
      {
        type: 'message.tool_call_started',
        messageId: 'a',
        index: 0,
        callId: id,
        name: 'constructor',
      },
      delta('{"path":', 0, 'tool_input'),
      { type: 'message.completed', message: message([{ ...call, id, name: 'toString' }]) },
    );
    assert.equal(toolOf(view).callId, id);
  });

  it('shows every completed message exactly as it is stored, however it was streamed', () => {
    fc.assert(
      fc.property(
        fc.array(anyPart, { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(6), { minLength: 1 }),
        (parts, cuts) => {
          const events: RunEventBody[] = [started, opened];
          for (const [index, part] of parts.entries()) events.push(...streamed(part, index, cuts));
          const whole = message([...parts, { type: 'finish', reason: 'end_turn' }]);
          const { view } = play(...events, { type: 'message.completed', message: whole });
          assert.deepEqual(view.messages, [messageView(whole)]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }).map((text): Part => ({ type: 'text', text })),
  fc.string({ minLength: 1, maxLength: 30 }).map((text): Part => ({ type: 'reasoning', text })),
  fc.uuid().map((id): Part => ({ type: 'tool_call', id, name: 'read_file', input: { path: id } })),
);

/** The events by which a provider streams a part. */
function streamed(part: Part, index: number, cuts: readonly number[]): RunEventBody[] {
  const events: RunEventBody[] = [];
  if (part.type === 'tool_call') {
    events.push({
      type: 'message.tool_call_started',
      messageId: 'a',
      index,
      callId: part.id,
      name: part.name,
    });
    for (const piece of pieces(JSON.stringify(part.input), cuts))
      events.push(delta(piece, index, 'tool_input'));
  } else if (part.type === 'text' || part.type === 'reasoning') {
    for (const piece of pieces(part.text, cuts)) events.push(delta(piece, index, part.type));
  }
  if ((cuts[index % cuts.length] ?? 0) % 2 === 0)
    events.push({ type: 'message.part', messageId: 'a', index, part });
  return events;
}

function pieces(text: string, cuts: readonly number[]): string[] {
  const found: string[] = [];
  for (let from = 0, turn = 0; from < text.length; turn += 1) {
    const length = 1 + (cuts[turn % cuts.length] ?? 0);
    found.push(text.slice(from, from + length));
    from += length;
  }
  return found;
}

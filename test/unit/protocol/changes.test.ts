import assert from 'node:assert/strict';
import {
  applySessionChange,
  keepTail,
  OUTPUT_KEPT,
  type SessionChange,
} from '../../../src/protocol/changes.ts';
import { applyChange } from '../../support/apply-change.ts';
import { EMPTY_REVIEW } from '../../../src/protocol/review-view.ts';
import { EMPTY_SESSION, type SessionView, type Snapshot } from '../../../src/protocol/snapshot.ts';
import type { MessageView } from '../../../src/protocol/view.ts';
import { emptyToolView } from '../../../src/panel/cards/tool-view.ts';

const message = (id: string, seq: number): MessageView => ({
  id,
  seq,
  role: 'assistant',
  createdAt: 0,
  parts: [],
  open: true,
});

function after(...changes: SessionChange[]): SessionView {
  let session = EMPTY_SESSION;
  for (const change of changes) session = applySessionChange(session, change);
  return session;
}

describe('changes of the panel', () => {
  it('puts messages at their place by seq, whatever the order of arrival', () => {
    const session = after(
      { type: 'message', message: message('b', 2) },
      { type: 'message', message: message('c', 3) },
      { type: 'message', message: message('a', 1) },
    );
    assert.deepEqual(
      session.messages.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('replaces the message with the same id, also at another place', () => {
    const session = after(
      { type: 'message', message: message('a', 1) },
      { type: 'message', message: message('b', 2) },
      { type: 'message', message: message('a', 3) },
    );
    assert.deepEqual(
      session.messages.map(({ id, seq }) => [id, seq]),
      [
        ['b', 2],
        ['a', 3],
      ],
    );
  });

  it('E1: appends text to its part and makes a part that is not there yet', () => {
    const text = { type: 'text', messageId: 'a', index: 1, kind: 'text' } as const;
    const session = after(
      { type: 'message', message: message('a', 1) },
      { ...text, text: 'Hel' },
      { ...text, text: 'lo' },
    );
    assert.deepEqual(session.messages[0]?.parts, [
      { type: 'text', text: '' },
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('changes nothing for a message or call it does not know', () => {
    const known = after({ type: 'message', message: message('a', 1) });
    const unknown: SessionChange[] = [
      { type: 'text', messageId: 'x', index: 0, kind: 'text', text: 'lost' },
      { type: 'tool', callId: 'x', set: { state: 'done' } },
      { type: 'output', callId: 'x', text: 'lost' },
      { type: 'message_closed', id: 'x', record: null },
      { type: 'message_removed', id: 'x' },
    ];
    for (const change of unknown) assert.deepEqual(applySessionChange(known, change), known);
  });

  it('D11: keeps the end of live output, from the start of a line', () => {
    const part = emptyToolView('c', 'run_command');
    const begun = after(
      { type: 'message', message: message('a', 1) },
      { type: 'part', messageId: 'a', index: 0, part },
    );
    const line = `${'x'.repeat(99)}\n`;
    const full = applySessionChange(begun, { type: 'output', callId: 'c', text: line.repeat(300) });
    const tool = full.messages[0]?.parts[0];
    assert.ok(tool?.type === 'tool');
    assert.ok(tool.output.length <= OUTPUT_KEPT);
    assert.ok(tool.output.length > OUTPUT_KEPT - 200);
    assert.ok(tool.output.startsWith('x'.repeat(99)));
    assert.equal(keepTail('short'), 'short');
  });

  it('adds, replaces and removes rows of the list', () => {
    const row = {
      id: 's',
      parentId: null,
      title: 'A',
      messageCount: 1,
      updatedAt: 1,
      state: 'idle',
    } as const;
    const start: Snapshot = {
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
      session: EMPTY_SESSION,
      review: EMPTY_REVIEW,
    };
    const added = applyChange(start, { type: 'row', row });
    const renamed = applyChange(added, { type: 'row', row: { ...row, title: 'B' } });
    assert.deepEqual(renamed.sessions.rows, [{ ...row, title: 'B' }]);
    const removed = applyChange(renamed, { type: 'row_removed', id: 's' });
    assert.deepEqual(removed.sessions.rows, []);
    const failed = applyChange(removed, { type: 'rows', total: 7, error: 'disk', deleted: null });
    assert.deepEqual(failed.sessions, { rows: [], total: 7, error: 'disk', deleted: null });
  });
});

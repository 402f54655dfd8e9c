import assert from 'node:assert/strict';
import type { ReviewFileView, ReviewHunkView } from '../../../src/protocol/review-view.ts';
import { labelOf, placeOf } from '../../../webview/review/review-words.ts';
import { activeIn, isActive, rowsOf, type ReviewRow } from '../../../webview/review/rows.ts';

const hunk = (id: string, more: Partial<ReviewHunkView> = {}): ReviewHunkView => ({
  id,
  kind: 'change',
  line: 3,
  lines: 1,
  added: 1,
  removed: 1,
  preview: [],
  edited: false,
  looked: false,
  evidence: null,
  ...more,
});

const file = (name: string, ids: readonly string[], more: Partial<ReviewFileView> = {}) =>
  ({
    path: `/w/${name}`,
    name,
    sessionId: 's',
    messageId: 'm',
    state: 'changed',
    form: null,
    renamedFrom: null,
    added: ids.length,
    removed: ids.length,
    count: ids.length,
    hunks: ids.map((id) => hunk(id)),
    ...more,
  }) satisfies ReviewFileView;

const group = (sessionId: string, files: readonly string[], hidden = 0) => ({
  sessionId,
  messageId: 'm',
  session: `Session ${sessionId}`,
  text: 'Do it',
  at: 0,
  count: 2,
  added: 2,
  removed: 2,
  files,
  hidden,
});

const list = (files: Readonly<Record<string, ReviewFileView>>, folded: readonly string[] = []) =>
  rowsOf({ groups: [group('s', Object.keys(files))], files }, 'x', (key) => !folded.includes(key));
const keys = (rows: readonly ReviewRow[]): readonly string[] => rows.map(({ key }) => key);

describe('rows of the list of pending changes', () => {
  it('stand under each other as far as they are unfolded', () => {
    const files = { a: file('a.ts', ['1', '2']), b: file('b.ts', ['3']) };
    assert.deepEqual(keys(list(files)), ['s m', 'a', 'a 1', 'a 2', 'b', 'b 3']);
    assert.deepEqual(keys(list(files, ['a'])), ['s m', 'a', 'b', 'b 3']);
    assert.deepEqual(keys(list(files, ['s m'])), ['s m']);
  });

  it('have none for the request where the session on screen made the only one', () => {
    const files = { a: file('a.ts', ['1']) };
    const rows = rowsOf({ groups: [group('s', ['a'])], files }, 's', () => true);
    assert.deepEqual(
      rows.map(({ key, level, parent }) => [key, level, parent]),
      [
        ['a', 1, undefined],
        ['a 1', 2, 'a'],
      ],
    );
  });

  it('begin with the session on screen; of others the title is shown', () => {
    const files = { a: file('a.ts', ['1']), b: file('b.ts', ['2'], { sessionId: 'other' }) };
    const rows = rowsOf(
      { groups: [group('other', ['b']), group('s', ['a'])], files },
      's',
      () => false,
    );
    assert.deepEqual(
      rows.map((row) => row.type === 'request' && row.session),
      [null, 'Session other'],
    );
  });

  it('count what is not listed', () => {
    const files = { a: file('a.ts', ['1'], { count: 5 }) };
    const rows = rowsOf({ groups: [group('s', ['a'], 2)], files }, 's', () => true);
    assert.deepEqual(
      rows.flatMap((row) => (isActive(row) ? [] : [row.text])),
      ['and 4 more in the file', 'and 2 more files'],
    );
  });

  it('say nothing of lines where a file was only renamed', () => {
    const files = { a: file('a.ts', [], { count: 1, renamedFrom: 'old.ts' }) };
    assert.deepEqual(keys(list(files)), ['s m', 'a']);
  });

  it('keep the keyboard where it was, or take it to what comes next', () => {
    const before = list({ a: file('a.ts', ['1', '2']), b: file('b.ts', ['3']) });
    const now = list({ b: file('b.ts', ['3', '4']) });
    assert.equal(activeIn(before, before, undefined), 's m');
    assert.equal(activeIn(before, now, 'b 3'), 'b 3');
    assert.equal(activeIn(before, now, 'a 1'), 'b 3', 'the next change, not the next file');
    assert.equal(activeIn(before, now, 'a'), 'b');
    assert.equal(activeIn(before, list({ a: file('a.ts', ['1']) }), 'b 3'), 'a 1');
    assert.equal(activeIn(before, [], 'a 1'), undefined);
  });

  it('are named for a screen reader with everything that is seen', () => {
    const [, row, change] = list({
      a: file('src/a.ts', [], {
        state: 'created',
        count: 1,
        hunks: [hunk('1', { edited: true, looked: true })],
      }),
    });
    assert.ok(row !== undefined && isActive(row) && change !== undefined && isActive(change));
    assert.equal(labelOf(row), 'src/a.ts, new, 1 change, all looked at');
    assert.equal(labelOf(change), 'line 3, 1 added, 1 removed, edited by you, looked at');
  });

  it('tell the place of a change', () => {
    assert.equal(placeOf(hunk('1', { line: 3, lines: 4 })), 'lines 3–6');
    assert.equal(placeOf(hunk('1', { line: 3, lines: 0 })), 'above line 3');
    assert.equal(placeOf(hunk('1', { kind: 'create' })), 'whole file');
    assert.equal(placeOf(hunk('1', { kind: 'binary' })), 'binary content');
  });
});

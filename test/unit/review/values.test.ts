import assert from 'node:assert/strict';
import { agentEdited, agentRenamed } from '../../../src/core/review/model/agent-edits.ts';
import { asFound, changedByCommand } from '../../../src/core/review/model/as-found.ts';
import { accept, reject } from '../../../src/core/review/model/decide.ts';
import {
  pieceFrom,
  pieceOf,
  pieceToJson,
  settledBy,
  stateIn,
} from '../../../src/core/review/model/decided-pieces.ts';
import {
  ABSENT,
  type Attribution,
  type Content,
  type FileReview,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import { hunksOf, isSettled } from '../../../src/core/review/model/hunks.ts';
import { type FileNow, formOf, formWords } from '../../../src/core/review/model/proposed-bytes.ts';
import { isAlike, isTelling } from '../../../src/core/review/model/recognised.ts';
import { restored } from '../../../src/core/review/model/restored.ts';
import {
  byPath,
  joinSelected,
  type PendingReview,
  totalsOf,
} from '../../../src/core/review/model/review-kinds.ts';
import type { TextFormat } from '../../../src/core/files/text-file.ts';

const by = (callId: string): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: '',
  at: 1,
});
const edited = (before: string, after: string, file = '/w/a.ts'): FileReview =>
  agentEdited(newReview(file, textContent(before)), textContent(after), by('c'));
const binary = (bytes: number, hash = `h${bytes}`): Content => ({ kind: 'binary', hash, bytes });
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, n) => `line ${n}`).join('\n');

describe('pending changes: what is said of a file as a whole', () => {
  const says = (baseline: Content, document: Content): string | null =>
    formOf({ ...newReview('/w/a', baseline), document }, [{ kind: 'change' }]);

  it('its bytes are told where its lines do not tell, with sizes that a person reads', () => {
    const text = textContent('x');
    const cases: readonly (readonly [Content, Content, string | null])[] = [
      [text, textContent('y'), null],
      [ABSENT, text, null],
      [ABSENT, binary(5), 'binary, 5 B'],
      [binary(1023), ABSENT, 'binary, 1023 B'],
      [text, binary(1024), 'text → binary, 1.0 kB'],
      [binary(1536), text, 'binary, 1.5 kB → text'],
      [binary(1), binary(1024 * 1024), 'binary, 1 B → 1.0 MB'],
      [binary(1), binary(1024 * 1023), 'binary, 1 B → 1023.0 kB'],
      [ABSENT, binary(100 * 1024 * 1024), 'binary, 100.0 MB'],
    ];
    for (const [before, after, words] of cases) assert.equal(says(before, after), words);
    assert.equal(formOf(newReview('/w/a', binary(5)), []), null);
    const proposedBytes = { bytes: new Uint8Array(), hash: 'h', says: 'in words' };
    const form = [{ kind: 'form' }];
    assert.equal(formOf({ ...newReview('/w/a', text), proposedBytes }, form), 'in words');
    assert.equal(formOf(newReview('/w/a', text), form), null);
  });

  it('line ends and encoding are told where they change', () => {
    const utf8: TextFormat = { encoding: 'utf-8', bom: false };
    const now = (text: string, format?: TextFormat): FileNow => ({
      content: textContent(text),
      text,
      ...(format === undefined ? {} : { format }),
    });
    const cases: readonly (readonly [FileNow, FileNow, string])[] = [
      [now('a\nb', utf8), now('a\r\nb', utf8), 'line ends: LF → CR LF'],
      [now('\na', utf8), now('a\r\nb\n', utf8), 'line ends: LF → mixed'],
      [now('a', utf8), now('a\n', utf8), 'line ends: none → LF'],
      [
        now('a', utf8),
        now('a', { ...utf8, bom: true }),
        'encoding: UTF-8 → UTF-8 with byte order mark',
      ],
      [
        now('a\n', utf8),
        now('a\r\n', { encoding: 'utf-16le', bom: true }),
        'line ends: LF → CR LF, encoding: UTF-8 → UTF-16 LE',
      ],
      [now('a', utf8), now('a'), 'encoding: UTF-8 → none'],
      [now('a', utf8), now('a', utf8), 'line ends of some lines'],
    ];
    for (const [before, after, words] of cases) assert.equal(formWords(before, after), words);
  });

  it('files are listed by path, of one path what is written first; their totals count each file once', () => {
    const pending = (kind: PendingReview['kind'], review: FileReview): PendingReview => ({
      kind,
      review,
    });
    const all = [
      pending('written', edited('1\n2', '1\nx\ny', '/w/b')),
      pending('proposed', edited('1', '2', '/w/b')),
      pending('written', edited('1', '2', '/w/a')),
      pending('written', edited('1', '2', '/w/c')),
    ];
    assert.deepEqual(
      byPath(all).map(({ kind, review }) => `${kind} ${review.path}`),
      ['written /w/a', 'written /w/b', 'proposed /w/b', 'written /w/c'],
    );
    assert.deepEqual(totalsOf(all), { files: 3, hunks: 4, added: 5, removed: 4 });
    const renamed = agentRenamed(newReview('/w/a', textContent('x')), '/w/new', by('c'));
    assert.equal(totalsOf([pending('written', renamed)]).hunks, 1, 'a renaming alone');
    const nothing = newReview('/w/a', textContent('x'));
    assert.equal(totalsOf([pending('written', nothing)]).hunks, 0);
  });

  it('selections of one file are joined: hunks once each, and all of it when one says so', () => {
    const one = { kind: 'written', path: '/w/a' } as const;
    const joined = joinSelected([
      { ...one, choice: ['1', '2'] },
      { ...one, choice: ['2', '3'] },
      { ...one, kind: 'proposed', choice: ['4'] },
      { ...one, path: '/w/b', choice: ['5'] },
      { ...one, path: '/w/b' },
    ]);
    assert.deepEqual(
      joined.map(({ choice }) => choice),
      [['1', '2', '3'], ['4'], 'all'],
    );
  });
});

describe('pending changes: a file that somebody else changed meanwhile', () => {
  it('the agent finds a file that came or went without a word as it is, and keeps what is pending', () => {
    const settled = newReview('/w/a', ABSENT);
    const found = asFound(settled, '/w/a', textContent('new'));
    assert.equal(isSettled(found), true);
    assert.equal(textOf(found.document), 'new');
    const pending = edited('1\n2\n3', '1\nagent\n3');
    assert.equal(isSettled(asFound(pending, '/w/a.ts', textContent('1\nagent\n3\n4'))), false);
    assert.equal(isSettled(asFound(pending, '/w/a.ts', ABSENT)), false, 'it waits');
    const same = newReview('/w/a', textContent('x'));
    assert.equal(asFound(same, '/w/a', textContent('x')), same);
  });

  it('what a command did is pending from what it found, where that is known', () => {
    const change = (review: FileReview, before: Content) =>
      changedByCommand(review, { before, after: textContent('made') }, by('c'));
    assert.equal(isSettled(change(newReview('/w/a', ABSENT), textContent('old'))), false);
    const pending = edited('1\n2', '1\nagent');
    for (const before of [textContent('never seen'), ABSENT])
      assert.equal(change(pending, before), pending, 'nothing is known of that');
  });

  it('at the start a file is recognised by a fifth of its lines; a short one always is', () => {
    const pending = (count: number): FileReview => edited(numbered(count), `${numbered(count)}\nx`);
    const kept = (review: FileReview, count: number): string =>
      restored(review, textContent(`${numbered(count)}\nother\nlines`)).kind;
    assert.equal(kept(pending(19), 4), 'merged');
    assert.equal(kept(pending(19), 3), 'unrecognizable');
    assert.equal(kept(pending(8), 0), 'merged', 'nine lines may change as a whole');
    assert.equal(kept(pending(9), 0), 'unrecognizable');
    const gone = restored(pending(3), ABSENT);
    assert.deepEqual([gone.kind, gone.review.fileMissing], ['gone', true]);
    const back = restored(gone.review, gone.review.document);
    assert.deepEqual([back.kind, back.review.fileMissing], ['current', false]);
    assert.equal(restored(pending(3), binary(5)).kind, 'unrecognizable');
  });

  it('lines are others in another form when they share most of their words, or one thing was put in', () => {
    const alike: readonly (readonly [string, string])[] = [
      ['let a = b + c;', 'let a = b +  d;'],
      ['foo(bar)', 'foo( bar )'],
      ['width', 'fullwidth'],
      ['width', 'widths'],
      ['abc', 'axbc'],
      ['aa', 'aaa'],
      ['}', '}'],
      ['one two three', 'three one two'],
    ];
    const others: readonly (readonly [string, string])[] = [
      ['let a = b;', 'return x(y);'],
      ['one two', 'one three'],
      ['abc', 'axbyc'],
      ['one', ''],
      ['', 'one'],
      ['one one one', 'one two three'],
    ];
    for (const [a, b] of alike) assert.equal(isAlike([a], [b]), true, `${a} ~ ${b}`);
    for (const [a, b] of others) assert.equal(isAlike([a], [b]), false, `${a} ≠ ${b}`);
    assert.equal(isAlike(['same', 'one two'], ['same', 'three'], 4), true, 'only the start counts');
    assert.equal(isTelling(['', ' }', ');']), false);
    assert.equal(isTelling(['', ' } x']), true);
  });
});

describe('pending changes: after a decision', () => {
  const before = '1\n2\n3\n4\n5\n6\n7';
  const two = (): FileReview => edited(before, '1\nA\n3\n4\n5\nB\n7');

  it('who made what is known of the hunks that are left, and of nothing when none is', () => {
    const [first] = hunksOf(two());
    for (const decide of [
      accept,
      (review: FileReview, ids: string[]) => reject(review, ids).review,
    ]) {
      const left = decide(two(), [first?.id ?? '']);
      assert.deepEqual(
        left.marks.map(({ from, to }) => [from, to]),
        [[5, 6]],
      );
      assert.equal(hunksOf(left)[0]?.by[0]?.callId, 'c');
    }
    assert.deepEqual(accept(two(), 'all').marks, []);
    const typed = { ...two(), marks: [...two().marks, { from: 2, to: 3, by: 'user' as const }] };
    assert.equal(
      accept(typed, [first?.id ?? '']).marks.some((mark) => mark.by === 'user'),
      true,
      'what the person typed is theirs while something is pending',
    );
    assert.deepEqual(accept(typed, 'all').marks, []);
  });

  it('a folder that goes with its files is forgotten with the whole file alone', () => {
    const deleted = {
      ...agentEdited(newReview('/w/a', textContent('x')), ABSENT, by('c')),
      folder: '/w',
    };
    const [whole] = hunksOf(deleted);
    assert.equal(accept(deleted, [whole?.id ?? '']).folder, undefined);
    const some = { ...two(), folder: '/w' };
    const [first] = hunksOf(some);
    assert.equal(accept(some, [first?.id ?? '']).folder, '/w');
    assert.equal(accept(some, 'all').folder, undefined);
    assert.deepEqual(accept({ ...some, wholeFileBy: [by('c')] }, 'all').wholeFileBy, []);
    assert.equal(
      accept({ ...some, wholeFileBy: [by('c')] }, [first?.id ?? '']).wholeFileBy.length,
      1,
    );
  });

  it('what became of a decided change is seen by lines that are only its own', () => {
    const piece = (removed: string[], added: string[], made: 'accepted' | 'rejected') =>
      pieceOf(
        { path: '/w/a', baseline: textContent('old\nboth'), document: textContent('new\nboth') },
        { removed, added },
        made,
      );
    const state = (
      [removed, added]: readonly [string[], string[]],
      made: 'accepted' | 'rejected',
      file: string | undefined,
    ): string =>
      stateIn(piece(removed, added, made), file === undefined ? undefined : textContent(file));
    const change = [['old'], ['new']] as const satisfies readonly [string[], string[]];
    const cases = [
      [change, 'accepted', 'new\nboth', 'accepted'],
      [change, 'rejected', 'new\nboth', 'accepted'],
      [change, 'accepted', 'old\nboth', 'undone'],
      [change, 'rejected', 'old\nboth', 'rejected'],
      [change, 'accepted', 'third', 'accepted'],
      [change, 'rejected', 'third', 'rejected'],
      [change, 'accepted', undefined, 'accepted'],
      [[[], ['new']], 'accepted', 'third', 'undone'],
      [[['old'], []], 'rejected', 'third', 'accepted'],
      [[['old'], []], 'accepted', 'old', 'undone'],
      [[['both'], ['both']], 'rejected', 'both', 'rejected'],
    ] as const;
    for (const [lines, made, file, is] of cases)
      assert.equal(
        state([[...lines[0]], [...lines[1]]], made, file),
        is,
        `${made} ${lines.join('→')}: ${file}`,
      );
  });

  it('a piece is known by three lines that are short, telling and its own; it is read as it was written', () => {
    const lines = ['', 'x'.repeat(161), 'a', 'a', 'known', 'b', 'x'.repeat(160), 'c'];
    const piece = pieceOf(
      { path: '/w/a', baseline: textContent('known'), document: textContent('') },
      { removed: ['gone'], added: lines },
      'accepted',
    );
    assert.deepEqual(piece.added, ['a', 'b', 'x'.repeat(160)]);
    assert.deepEqual(pieceFrom(pieceToJson(piece)), piece);
    for (const other of [null, 'text', [], ['/w/a', 1, 'accepted'], ['/w/a', 'k', 'perhaps']])
      assert.equal(pieceFrom(other), undefined);
    assert.equal(stateIn(settledBy(piece, { removed: ['b'] }), textContent('gone')), 'accepted');
    assert.equal(settledBy(piece, { removed: ['other'] }), piece);
  });
});

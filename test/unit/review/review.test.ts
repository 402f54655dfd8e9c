import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import {
  agentEdited,
  agentRenamed,
  movedOutside,
} from '../../../src/core/review/model/agent-edits.ts';
import { accept, reject } from '../../../src/core/review/model/decide.ts';
import {
  ABSENT,
  newReview,
  replacementsFor,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';
import { applyReplacements } from '../../../src/core/merge/replacement.ts';
import { hunksIn, hunksOf, isSettled, pendingIn } from '../../../src/core/review/model/hunks.ts';
import {
  unreportedChanges,
  asKnownToModel,
} from '../../../src/core/review/model/unreported-changes.ts';
import { changedOutside, undoneTo, userEdited } from '../../../src/core/review/model/user-edits.ts';

const by = (callId: string, at = 0): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: `because of ${callId}`,
  at,
});

const review = (before: string, ...afters: string[]): FileReview =>
  afters.reduce(
    (one, after, index) => agentEdited(one, textContent(after), by(`call ${index + 1}`, index)),
    newReview('/w/a.ts', textContent(before)),
  );

/** Types at a place of the document. */
function typed(
  one: FileReview,
  line: number,
  [start, end]: readonly [number, number],
  text: string,
): FileReview {
  const lines = (textOf(one.document) ?? '').split('\n');
  const old = lines[line] ?? '';
  lines[line] = old.slice(0, start) + text + old.slice(end);
  return userEdited(
    one,
    [{ start: { line, character: start }, end: { line, character: end }, text }],
    textContent(lines.join('\n')),
  );
}

const texts = (one: FileReview): readonly [string, string] => [
  textOf(one.baseline) ?? one.baseline.kind,
  textOf(one.document) ?? one.document.kind,
];

const shown = (one: FileReview): readonly string[] =>
  hunksOf(one).map(({ removed, added }) => `${removed.join('|')} → ${added.join('|')}`);

const first = (one: FileReview): string => hunksOf(one)[0]?.id ?? '';

describe('pending changes of a file', () => {
  it('lines that the person takes away are those that the editor says, also where others are the same', () => {
    const one = review('same\none\n', 'same\none\nsame\n');
    const from = { line: 0, character: 0 };
    const changes = [{ start: from, end: { line: 2, character: 0 }, text: '' }];
    const next = userEdited(one, changes, textContent('same\n'));
    assert.deepEqual(texts(next), ['', 'same\n']);
  });

  it('are the difference between baseline and document, with who made them', () => {
    const one = review('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nD\n');
    assert.deepEqual(shown(one), ['b → B', 'd → D']);
    assert.deepEqual(
      hunksOf(one).map((hunk) => hunk.by.map(({ callId }) => callId)),
      [['call 1'], ['call 2']],
    );
    assert.deepEqual([pendingIn(one).added, pendingIn(one).removed], [2, 2]);
    const twice = review('a\nb\n', 'a\nB\n', 'a\nBB\n');
    assert.deepEqual(
      hunksOf(twice)[0]?.by.map(({ callId }) => callId),
      ['call 1', 'call 2'],
    );
  });

  it('keep their ids when other lines move them', () => {
    const one = review('a\nb\nc\n', 'a\nb\nC\n');
    const moved = typed(one, 0, [0, 0], 'new\n');
    assert.equal(first(moved), first(one));
    assert.equal(hunksOf(moved)[0]?.documentFrom, 3);
    assert.deepEqual(
      hunksOf(moved)[0]?.by.map(({ callId }) => callId),
      ['call 1'],
    );
  });

  it('keep their authors when others are rejected above them', () => {
    const one = review('a\nb\nc\nd\n', 'a\n1\n2\n3\n4\nb\nc\nd\n', 'a\n1\n2\n3\n4\nb\nc\nD\n');
    const { review: after } = reject(one, [first(one)]);
    assert.deepEqual(
      hunksOf(after).map((hunk) => hunk.by.map(({ callId }) => callId)),
      [['call 2']],
    );
  });

  it('keep their authors when others are decided, also where lines were only taken away', () => {
    const one = review('a\nb\nc\nd\n', 'a\nc\nd\n', 'a\nc\nD\n');
    const [taken, changed] = hunksOf(one).map(({ id }) => id);
    const left = (after: FileReview) =>
      hunksOf(after).map((hunk) => [hunk.id, ...hunk.by.map(({ callId }) => callId)]);
    for (const decide of [accept, (of: FileReview, ids: string[]) => reject(of, ids).review]) {
      assert.deepEqual(left(decide(one, [changed ?? ''])), [[taken, 'call 1']]);
      assert.deepEqual(left(decide(one, [taken ?? ''])), [[changed, 'call 2']]);
    }
  });

  it('that only wait for the person to save the file are no decision; its new name is one', () => {
    const saved = newReview('/w/b.ts', textContent('a\n'));
    const waiting: FileReview = { ...saved, unsaved: true };
    const renamed: FileReview = { ...waiting, renamedFrom: '/w/a.ts' };
    for (const decide of [accept, reject]) {
      assert.throws(() => decide(waiting, 'all'), /Save it, then it is done/u);
      assert.throws(() => decide(renamed, ['unsaved']), /Save it, then it is done/u);
    }
    assert.equal(accept(renamed, 'all').renamedFrom, undefined);
    assert.equal(reject(renamed, 'all').review.path, '/w/a.ts');
  });

  it('of the same text twice have different ids', () => {
    const ids = hunksOf(review('a\nb\nc\n', 'x\na\nx\nb\nc\n')).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });

  it('a decision about what is not pending any more does nothing, and says so', () => {
    const one = review('a\n', 'b\n');
    const id = first(one);
    assert.throws(
      () => accept(accept(one, [id]), [id]),
      (thrown) => thrown instanceof BelayError && thrown.code === 'not_found',
    );
    assert.throws(() => reject(one, [id, 'other']), BelayError);
  });

  it('are found by the lines that an editor names', () => {
    const one = review('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n');
    assert.deepEqual(hunksIn(one, 4, 5), hunksOf(one).slice(1));
    assert.deepEqual(hunksIn(one, 2, 3), []);
  });

  it('a rejection is an edit of the text, also at its end', () => {
    for (const [before, after] of [
      ['a\nb', 'a'],
      ['a', 'a\nb'],
      ['', 'a\n'],
      ['a\nb\nc\n', 'c\n'],
      ['a\n', 'a'],
      ['a\nb\nc', 'x\nb\ny\nz'],
    ] as const) {
      const one = review(before, after);
      const { edits } = reject(one, 'all');
      const lines = after.split('\n');
      assert.equal(applyReplacements(after, replacementsFor(lines, edits)), before);
    }
  });
});

describe('what the person types', () => {
  it('is not pending, and stays whatever is decided', () => {
    const one = typed(review('a\nb\nc\n', 'a\nB\nc\n'), 0, [1, 1], '!');
    assert.deepEqual(texts(one), ['a!\nb\nc\n', 'a!\nB\nc\n']);
    assert.deepEqual(texts(reject(one, 'all').review), ['a!\nb\nc\n', 'a!\nb\nc\n']);
    assert.equal(hunksOf(one)[0]?.editedByUser, false);
  });

  it('within a proposed line stays part of the hunk, which says so; the agent can be told', () => {
    const one = typed(review('a\nb\nc\n', 'a\nB\nc\n'), 1, [1, 1], '!');
    assert.deepEqual(shown(one), ['b → B!']);
    assert.equal(hunksOf(one)[0]?.editedByUser, true);
    assert.deepEqual(unreportedChanges(one), [{ line: 1, removed: ['B'], added: ['B!'] }]);
    assert.deepEqual(unreportedChanges(asKnownToModel(one)), []);
    assert.deepEqual(texts(accept(one, 'all')), ['a\nB!\nc\n', 'a\nB!\nc\n']);
  });

  it('in several places is told place by place, as the text is now', () => {
    const one = {
      ...newReview('/w/a', textContent('p\nq\na\nb\nc\nd\nlast')),
      document: textContent('x\na\nc!\nd\nend'),
    };
    assert.deepEqual(unreportedChanges(one), [
      { line: 0, removed: ['p', 'q'], added: ['x'] },
      { line: 2, removed: ['b', 'c'], added: ['c!'] },
      { line: 4, removed: ['last'], added: ['end'] },
    ]);
  });

  it('as new lines between proposed ones stays when both are rejected', () => {
    const one = typed(review('a\nz\n', 'a\n1\n2\nz\n'), 2, [0, 0], 'mine\n');
    assert.deepEqual(shown(one), [' → 1', ' → 2']);
    assert.equal(textOf(reject(one, 'all').review.document), 'a\nmine\nz\n');
  });

  it('back to what was there before ends the hunk', () => {
    const one = typed(review('a\nb\nc\n', 'a\nB\nc\n'), 1, [0, 1], 'b');
    assert.deepEqual(shown(one), []);
    assert.ok(isSettled(one));
  });

  it('instead of proposed lines is the person’s: what was there before waits for a decision', () => {
    const one = typed(review('a\nb\nc\n', 'a\nB\nc\n'), 1, [0, 1], 'mine');
    assert.equal(textOf(reject(one, 'all').review.document)?.includes('mine'), true);
  });

  it('in thousands of places at once is taken by lines', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `x ${at}`);
    const after = before.map((line) => line.replace('x', 'y'));
    const changes = before
      .map((_, line) => ({
        start: { line, character: 0 },
        end: { line, character: 1 },
        text: 'y',
      }))
      .toReversed();
    const one = review(before.join('\n'), before.with(5, 'proposed x').join('\n'));
    const next = userEdited(one, changes, textContent(after.with(5, 'yroposed x').join('\n')));
    assert.deepEqual(shown(next), ['x 5 → yroposed x']);
  });

  it('is right even when the editor and the review do not agree: the editor’s text counts', () => {
    const one = review('a\nb\n', 'a\nB\n');
    const next = userEdited(
      one,
      [{ start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, text: 'x' }],
      textContent('something\nB\nelse\n'),
    );
    assert.equal(textOf(next.document), 'something\nB\nelse\n');
    assert.equal(textOf(reject(next, 'all').review.document), 'something\nb\nelse\n');
  });
});

describe('undo and redo', () => {
  const one = review('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\nE\n');

  it('of a rejection bring the hunk back with its author, and take it away again', () => {
    const rejected = reject(one, [first(one)]).review;
    const undone = undoneTo(rejected, textContent('a\nB\nc\nd\nE\n'));
    assert.deepEqual(shown(undone), ['b → B', 'e → E']);
    assert.equal(hunksOf(undone)[0]?.by[0]?.callId, 'call 1');
    assert.deepEqual(shown(undoneTo(undone, textContent('a\nb\nc\nd\nE\n'))), ['e → E']);
  });

  it('do not ask again for what was accepted meanwhile', () => {
    const two = agentEdited(one, textContent('a\nB\nC\nd\nE\n'), by('call 2'));
    const [, last] = hunksOf(two);
    const accepted = accept(two, [last?.id ?? '']);
    const undone = undoneTo(accepted, textContent('a\nB\nc\nd\nE\n'));
    assert.deepEqual(shown(undone), ['b → B']);
  });

  it('of an accepted edit as a whole leave nothing pending', () => {
    const undone = undoneTo(accept(one, 'all'), textContent('a\nb\nc\nd\ne\n'));
    assert.ok(isSettled(undone));
    assert.equal(textOf(undone.document), 'a\nb\nc\nd\ne\n');
  });

  it('to a state that nobody remembers are as typed', () => {
    const undone = undoneTo(one, textContent('older\nB\nc\nd\nE\n'));
    assert.equal(textOf(reject(undone, 'all').review.document), 'older\nb\nc\nd\ne\n');
  });
});

describe('what something else does to a file', () => {
  it('a formatter’s changes are not pending, except of proposed lines, which are marked', () => {
    const one = review('a\nb\nc\nd\n', 'a\nB \nc \nd\n'.replace('c ', 'c'));
    const next = changedOutside(one, textContent('  a\n  B\n  c\n  d\n'));
    assert.deepEqual(shown(next), ['b →   B']);
    assert.equal(hunksOf(next)[0]?.changedOutside, true);
    assert.equal(textOf(reject(next, 'all').review.document), '  a\nb\n  c\n  d\n');
  });

  it('a deletion keeps what is pending, until the file is there again', () => {
    const gone = changedOutside(review('a\nb\n', 'a\nB\n'), ABSENT);
    assert.equal(gone.fileMissing, true);
    assert.deepEqual(shown(gone), ['b → B']);
    const back = changedOutside(gone, textContent('a\nB\nc\n'));
    assert.equal(back.fileMissing, false);
    assert.deepEqual(texts(back), ['a\nb\nc\n', 'a\nB\nc\n']);
  });
});

describe('whole files', () => {
  it('a new file: rejected it goes, accepted it stays', () => {
    const one = agentEdited(newReview('/w/n', ABSENT), textContent('x\ny\n'), by('1'));
    assert.deepEqual(
      hunksOf(one).map(({ kind, added }) => [kind, added.length]),
      [['create', 3]],
    );
    assert.deepEqual(reject(one, 'all').effects, [{ kind: 'delete', path: '/w/n' }]);
    assert.ok(isSettled(reject(one, 'all').review));
    assert.deepEqual(texts(accept(one, [first(one)])), ['x\ny\n', 'x\ny\n']);
  });

  it('a new file in which the person has typed keeps their lines', () => {
    const created = agentEdited(newReview('/w/n', ABSENT), textContent('x\ny\n'), by('1'));
    const one = typed(created, 1, [0, 0], 'mine\n');
    const { review: after, effects } = reject(one, 'all');
    assert.deepEqual(effects, []);
    assert.equal(textOf(after.document), 'mine');
  });

  it('a new file of which proposed lines were edited is still new', () => {
    const created = agentEdited(newReview('/w/n', ABSENT), textContent('x\ny\n'), by('1'));
    const one = typed(created, 0, [1, 1], '!');
    assert.deepEqual(
      hunksOf(one).map(({ kind, editedByUser }) => [kind, editedByUser]),
      [['create', true]],
    );
    assert.deepEqual(reject(one, 'all').effects, [{ kind: 'delete', path: '/w/n' }]);
  });

  it('a deleted file comes back with its text', () => {
    const one = agentEdited(newReview('/w/d', textContent('x\ny\n')), ABSENT, by('1'));
    assert.equal(hunksOf(one)[0]?.kind, 'delete');
    assert.deepEqual(reject(one, 'all').effects, [
      { kind: 'create', path: '/w/d', text: 'x\ny\n' },
    ]);
    assert.equal(accept(one, 'all').baseline.kind, 'absent');
    // Somebody else made it again: nothing of either is lost.
    const again = changedOutside(one, textContent('z\n'));
    assert.deepEqual(texts(again), ['x\ny\nz\n', 'z\n']);
    assert.equal(hunksOf(again)[0]?.changedOutside, true);
  });

  it('a renamed file goes back, its hunks decided by themselves or with it', () => {
    const one = agentRenamed(review('a\n', 'b\n'), '/w/b.ts', by('2'));
    assert.equal(pendingIn(one).renamed, true);
    assert.ok(pendingIn(accept(one, [first(one)])).renamed);
    assert.equal(pendingIn(accept(one, 'all')).renamed, false);
    const all = reject(one, 'all');
    assert.deepEqual(all.effects, [{ kind: 'rename', from: '/w/b.ts', to: '/w/a.ts' }]);
    assert.equal(all.edits.length, 1);
    assert.equal(all.review.path, '/w/a.ts');
    assert.ok(isSettled(all.review));
    assert.equal(agentRenamed(one, '/w/a.ts', by('3')).renamedFrom, undefined);
    assert.equal(movedOutside(one, one.path, '/w/c.ts').renamedFrom, '/w/a.ts');
  });

  it('a binary file is restored by its hash, at its old name', () => {
    const binary = (hash: string): Content => ({ kind: 'binary', hash, bytes: 5 });
    const one = agentEdited(newReview('/w/i.png', binary('old')), binary('new'), by('1'));
    assert.equal(hunksOf(one)[0]?.kind, 'binary');
    assert.deepEqual(hunksOf(one)[0]?.by[0]?.callId, '1');
    assert.deepEqual(reject(agentRenamed(one, '/w/j.png', by('2')), 'all').effects, [
      { kind: 'rename', from: '/w/j.png', to: '/w/i.png' },
      { kind: 'restore', path: '/w/i.png', hash: 'old' },
    ]);
    assert.ok(isSettled(accept(one, 'all')));
  });
});

import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import { withAgentRename } from '../../../src/core/review/model/agent-edits.ts';
import { keep, undo } from '../../../src/core/review/model/decide.ts';
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
import { hunksIn, hunksOf, isSettled, linesIn } from '../../../src/core/review/model/hunks.ts';
import {
  unreportedChanges,
  asKnownToModel,
} from '../../../src/core/review/model/unreported-changes.ts';
import { agentEdited } from '../../support/review/attribution.ts';
import { withOtherHands } from '../../../src/core/review/model/other-hands.ts';

const by = (callId: string, at = 0): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: `because of ${callId}`,
  at,
});

const agentRenamed = (row: FileReview, to: string, who: Attribution): FileReview =>
  withAgentRename(row, { path: row.path, content: row.document }, to, who);

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
  return withOtherHands(one, textContent(lines.join('\n')), 'editor');
}

const texts = (one: FileReview): readonly [string, string] => [
  textOf(one.baseline) ?? one.baseline.kind,
  textOf(one.document) ?? one.document.kind,
];

const shown = (one: FileReview): readonly string[] =>
  hunksOf(one).map(({ removed, added }) => `${removed.join('|')} → ${added.join('|')}`);

const first = (one: FileReview): string => hunksOf(one)[0]?.id ?? '';

describe('pending changes of a file', () => {
  it('are the difference between baseline and document, with who made them', () => {
    const one = review('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nD\n');
    assert.deepEqual(shown(one), ['b → B', 'd → D']);
    assert.deepEqual(
      hunksOf(one).map((hunk) => hunk.by.map(({ callId }) => callId)),
      [['call 1'], ['call 2']],
    );
    assert.deepEqual(linesIn(one), { added: 2, removed: 2 });
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
    const { review: after } = undo(one, [first(one)]);
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
    for (const decide of [keep, (of: FileReview, ids: string[]) => undo(of, ids).review]) {
      assert.deepEqual(left(decide(one, [changed ?? ''])), [[taken, 'call 1']]);
      assert.deepEqual(left(decide(one, [taken ?? ''])), [[changed, 'call 2']]);
    }
  });

  it('of the same text twice have different ids', () => {
    const ids = hunksOf(review('a\nb\nc\n', 'x\na\nx\nb\nc\n')).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });

  it('a decision about what is not pending any more does nothing, and says so', () => {
    const one = review('a\n', 'b\n');
    const id = first(one);
    assert.throws(
      () => keep(keep(one, [id]), [id]),
      (thrown) => thrown instanceof BelayError && thrown.code === 'not_found',
    );
    assert.throws(() => undo(one, [id, 'other']), BelayError);
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
      const { edits } = undo(one, 'all');
      const lines = after.split('\n');
      assert.equal(applyReplacements(after, replacementsFor(lines, edits)), before);
    }
  });
});

describe('changes by other hands', () => {
  const two = review('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\nE\n');
  const marked = (one: FileReview): readonly boolean[] =>
    hunksOf(one).map(({ editedByUser }) => editedByUser);

  for (const by of ['editor', 'program'] as const) {
    it(`outside of all hunks go into the baseline, too, and stay whatever is undone (${by})`, () => {
      const after = withOtherHands(two, textContent('new\na\nB\nc\nE\n'), by);
      assert.deepEqual(texts(after), ['new\na\nb\nc\ne\n', 'new\na\nB\nc\nE\n']);
      assert.deepEqual(shown(after), ['b → B', 'e → E']);
      assert.deepEqual(marked(after), [false, false]);
    });

    it(`that overlap a hunk become part of it, and it says so (${by})`, () => {
      const long = review('a\n', 'a\none\ntwo\n');
      const after = withOtherHands(long, textContent('a\none\nTWO, mine\n'), by);
      assert.deepEqual(shown(after), [' → one|TWO, mine']);
      assert.deepEqual(marked(after), [true]);
      assert.equal(textOf(undo(after, 'all').review.document), 'a\n');
    });
  }

  it('of white space by a formatter leave the hunk pending', () => {
    const after = withOtherHands(two, textContent('a\n  B\nc\nd\nE\n'), 'program');
    assert.deepEqual(shown(after), ['b →   B', 'e → E']);
    assert.deepEqual(marked(after), [true, false]);
  });

  it('of another program that leave no line of a hunk end it, and nothing is reverted', () => {
    const after = withOtherHands(two, textContent('a\nother\nc\nd\nE\n'), 'program');
    assert.deepEqual(shown(after), ['e → E']);
    assert.equal(textOf(undo(after, 'all').review.document), 'a\nother\nc\nd\ne\n');
  });

  it('in an editor that replace a line of the agent stay the user’s: the old line waits', () => {
    const after = withOtherHands(two, textContent('a\nother\nc\nd\nE\n'), 'editor');
    assert.deepEqual(shown(after), ['b → other', 'e → E']);
    assert.deepEqual(marked(after), [true, false]);
  });

  it('that bring back what was there end the hunk', () => {
    assert.deepEqual(shown(withOtherHands(two, textContent('a\nb\nc\nd\nE\n'), 'editor')), [
      'e → E',
    ]);
    const gone = review('a\nb\nc\n', 'a\nc\n');
    const typed = withOtherHands(gone, textContent('a\nb\nc\nmine\n'), 'editor');
    assert.deepEqual(texts(typed), ['a\nb\nc\nmine\n', 'a\nb\nc\nmine\n']);
  });

  it('beside lines that were taken away leave those waiting', () => {
    const gone = review('a\nb\nc\n', 'a\nc\n');
    const typed = withOtherHands(gone, textContent('a\nmine\nC\n'), 'editor');
    assert.deepEqual(shown(typed), ['b → ']);
    assert.equal(textOf(undo(typed, 'all').review.document), 'a\nb\nmine\nC\n');
  });

  it('that make it another kind of content leave nothing pending', () => {
    for (const content of [ABSENT, { kind: 'binary', hash: 'h', bytes: 1 } as const])
      assert.deepEqual(hunksOf(withOtherHands(two, content, 'program')), []);
  });

  it('the agent is told of, place by place', () => {
    const one = typed(review('a\nb\nc\n', 'a\nB\nc\n'), 0, [1, 1], '!');
    assert.deepEqual(unreportedChanges(one), [{ line: 0, removed: ['a'], added: ['a!'] }]);
    assert.deepEqual(unreportedChanges(asKnownToModel(one)), []);
  });
});

describe('whole files', () => {
  it('a new file: rejected it goes, accepted it stays', () => {
    const one = agentEdited(newReview('/w/n', ABSENT), textContent('x\ny\n'), by('1'));
    assert.deepEqual(
      hunksOf(one).map(({ kind, added }) => [kind, added.length]),
      [['create', 3]],
    );
    assert.deepEqual(undo(one, 'all').effects, [{ kind: 'delete', path: '/w/n' }]);
    assert.ok(isSettled(undo(one, 'all').review));
    assert.deepEqual(texts(keep(one, [first(one)])), ['x\ny\n', 'x\ny\n']);
  });

  it('a new file whose lines the user edited is still new', () => {
    const created = agentEdited(newReview('/w/n', ABSENT), textContent('x\ny\n'), by('1'));
    const one = typed(created, 0, [1, 1], '!');
    assert.deepEqual(
      hunksOf(one).map(({ kind, editedByUser }) => [kind, editedByUser]),
      [['create', true]],
    );
    assert.deepEqual(undo(one, 'all').effects, [{ kind: 'delete', path: '/w/n' }]);
  });

  it('a deleted file comes back with its text', () => {
    const one = agentEdited(newReview('/w/d', textContent('x\ny\n')), ABSENT, by('1'));
    assert.equal(hunksOf(one)[0]?.kind, 'delete');
    assert.deepEqual(undo(one, 'all').effects, [{ kind: 'create', path: '/w/d', text: 'x\ny\n' }]);
    assert.equal(keep(one, 'all').baseline.kind, 'absent');
    // Somebody else made it again: that is theirs.
    assert.ok(isSettled(withOtherHands(one, textContent('z\n'), 'program')));
  });

  it('a renamed file goes back, its hunks decided by themselves or with it', () => {
    const one = agentRenamed(review('a\n', 'b\n'), '/w/b.ts', by('2'));
    assert.equal(one.renamedFrom, '/w/a.ts');
    assert.equal(keep(one, [first(one)]).renamedFrom, '/w/a.ts');
    assert.equal(keep(one, 'all').renamedFrom, undefined);
    const all = undo(one, 'all');
    assert.deepEqual(all.effects, [{ kind: 'rename', from: '/w/b.ts', to: '/w/a.ts' }]);
    assert.equal(all.edits.length, 1);
    assert.equal(all.review.path, '/w/a.ts');
    assert.ok(isSettled(all.review));
    assert.equal(agentRenamed(one, '/w/a.ts', by('3')).renamedFrom, undefined);
  });

  it('a binary file is restored by its hash, at its old name', () => {
    const binary = (hash: string): Content => ({ kind: 'binary', hash, bytes: 5 });
    const one = agentEdited(newReview('/w/i.png', binary('old')), binary('new'), by('1'));
    assert.equal(hunksOf(one)[0]?.kind, 'binary');
    assert.deepEqual(hunksOf(one)[0]?.by[0]?.callId, '1');
    assert.deepEqual(undo(agentRenamed(one, '/w/j.png', by('2')), 'all').effects, [
      { kind: 'rename', from: '/w/j.png', to: '/w/i.png' },
      { kind: 'restore', path: '/w/i.png', hash: 'old' },
    ]);
    assert.ok(isSettled(keep(one, 'all')));
  });
});

import { applyLineChanges, lineChanges } from '../../merge/line-changes.ts';
import { unionLines } from './union-lines.ts';
import { accept, withoutHunks } from './decide.ts';
import { linesOf, remembered, sameContent, sameLines, textWith } from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import { type ForeignEdit, withForeignEdits } from './foreign-edits.ts';
import { hunksOf, isSettled } from './hunks.ts';
import { isAlike, isTelling, lostHunks, replacedLines, takenBackHunks } from './recognised.ts';
import type { Replaced } from './recognised.ts';

/** A change of text as an editor tells it: 0-based lines and UTF-16 columns of the text before it. */
export interface TypedChange {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Changes of one event beyond which they are compared by lines: "replace all" makes thousands. */
const MANY = 50;

/**
 * Follows what the person typed, pasted or deleted. It is not pending: it goes into the baseline as well, except within
 * a pending hunk, which then says that it was edited.
 * @param changes of one event, in an order in which they can be made one after the other
 * @param after the whole text after the event
 */
export function userEdited(
  review: FileReview,
  changes: readonly TypedChange[],
  after: Content,
): FileReview {
  if (sameContent(review.document, after)) return review;
  const known = remembered(review);
  let next = known;
  if (review.document.kind === 'text' && changes.length <= MANY)
    for (const change of changes) next = withForeignEdits(next, editsOf(next, change), 'user');
  // An editor and a review that do not agree on the text would go on apart: the editor is right.
  return sameContent(next.document, after) ? next : replacedByLines(known, after, 'user');
}

/** The lines that a change replaces. */
function editsOf(review: FileReview, { start, end, text }: TypedChange): readonly ForeignEdit[] {
  const document = linesOf(review.document);
  const before = (document[start.line] ?? '').slice(0, start.character);
  const behind = (document[end.line] ?? '').slice(end.character);
  const old = document.slice(start.line, end.line + 1);
  const made = `${before}${text.replaceAll('\r\n', '\n')}${behind}`.split('\n');
  // A line before which the change ends is not part of it, also where the first one is the same.
  if (end.character === 0 && old.at(-1) === made.at(-1))
    [old, made].forEach((lines) => lines.pop());
  const isPending = (line: number): boolean =>
    hunksOf(review).some(
      ({ documentFrom, documentTo }) => documentFrom <= line && line < documentTo,
    );
  return lineChanges(old, made).map(({ from, to, lines }) => {
    const [first, last] = [start.line + from, start.line + to];
    const keepsChange =
      lines.length > 0 &&
      ((from === 0 && before.trim() !== '' && isPending(first)) ||
        (last === end.line + 1 && behind.trim() !== '' && isPending(last - 1)));
    return { from: first, to: last, lines, keepsChange };
  });
}

/**
 * The text after undo or redo. Where the review itself made or left this state, hunks are pending as
 * they were then, without those that were accepted since; else it is as if it were typed.
 */
export function undoneTo(review: FileReview, after: Content): FileReview {
  if (sameContent(review.document, after)) return review;
  const known = remembered(review);
  const found = known.memory.findLast(({ document }) => sameContent(document, after));
  if (found === undefined) return replacedByLines(known, after, 'user');
  const { document, baseline, marks } = found;
  const restored = { ...known, document, baseline, marks };
  const accepted = hunksOf(restored).filter((hunk) =>
    found.accepted.some(
      (one) => sameLines(one.old, hunk.removed) && sameLines(one.new, hunk.added),
    ),
  );
  return accepted.length === 0
    ? restored
    : accept(
        restored,
        accepted.map(({ id }) => id),
      );
}

/** A review as it was when the file was this; `undefined`: that is not known. */
export function stateWith(review: FileReview, file: Content): FileReview | undefined {
  if (sameContent(review.document, file)) return review;
  if (review.memory.some(({ document }) => sameContent(document, file)))
    return undoneTo(review, file);
  return isSettled(review) ? changedOutside(review, file) : undefined;
}

/**
 * Something else wrote the file: a formatter, git, another program. Like what the person types, it is
 * not pending; where it changes lines of a hunk, the hunk is marked and keeps what it had replaced. A
 * hunk of which nothing can be recognised any more is none: whatever the file holds now is not the agent's.
 */
export function changedOutside(review: FileReview, after: Content): FileReview {
  if (sameContent(review.document, after))
    return review.fileMissing ? { ...review, fileMissing: false } : review;
  const next = replacedByLines(remembered(review), after, 'outside');
  return remembered({ ...next, fileMissing: after.kind === 'absent' });
}

/** The person said yes to another change of the file: what is pending beside it, or beneath, stays so. */
export function changedByDecision(review: FileReview, after: Content): FileReview {
  if (sameContent(review.document, after)) return review;
  const next = replacedByLines(remembered(review), after, 'decided');
  return remembered({ ...next, fileMissing: after.kind === 'absent' });
}

/** Edits of which only the texts before and after are known. */
function replacedByLines(
  review: FileReview,
  after: Content,
  by: 'user' | 'outside' | 'decided',
): FileReview {
  const { document, baseline } = review;
  if (sameContent(document, after)) return review;
  // The file is gone: what was pending waits until somebody decides, or until it is there again.
  if (after.kind === 'absent') return review;
  if (document.kind === 'absent' && baseline.kind === 'text' && after.kind === 'text')
    return madeAgain(review, baseline.lines, after.lines, by);
  // Another file, of which nothing is the agent's.
  if (after.kind === 'binary' || document.kind !== 'text') return replacedAsWhole(review, after);
  const replaced = replacedLines(document.lines, after.lines);
  const known = by === 'outside' ? withoutGone(review, after.lines, replaced) : review;
  const edits = replaced.map(({ from, to, lines, isSame }): ForeignEdit => {
    const keepsChange = lines.length > 0 && (by !== 'outside' || isSame);
    return { from, to, lines, keepsChange };
  });
  const next = withForeignEdits(known, edits, by === 'user' ? 'user' : 'outside');
  if (by === 'user') return next;
  // Of what comes with a yes only lines that it moves are known to be those, and not only like them.
  const moved = new Set(edits.flatMap(({ from, to }) => document.lines.slice(from, to)));
  const put = edits.flatMap(({ lines }) => lines);
  return withoutReturned(next, by === 'outside' ? put : put.filter((line) => moved.has(line)));
}

/** Without the hunks that something else took back, and those of which it left nothing. */
function withoutGone(
  review: FileReview,
  after: readonly string[],
  replaced: readonly Replaced[],
): FileReview {
  const all = [...takenBackHunks(review, after), ...lostHunks(review, replaced)];
  const gone = new Set(all.map(({ id }) => id));
  const inOrder = hunksOf(review).filter(({ id }) => gone.has(id));
  if (inOrder.length === 0) return review;
  const next = withoutHunks(review, inOrder);
  // Lines that the agent had moved from there: rejecting them does not bring them back any more.
  const moved = new Set(
    inOrder.flatMap(({ removed }) => removed.filter((line) => isTelling([line]))),
  );
  const marks = hunksOf(next).flatMap(({ added, documentFrom: from, documentTo: to }): Mark[] =>
    added.some((line) => moved.has(line)) ? [{ from, to, by: 'outside' }] : [],
  );
  return { ...next, marks: [...next.marks, ...marks] };
}

/** Lines that are taken away, and that something else put there again, perhaps at another place, are not pending. */
function withoutReturned(review: FileReview, again: readonly string[]): FileReview {
  const { baseline } = review;
  const put = new Set(again.filter((line) => isTelling([line])));
  const changes = hunksOf(review).flatMap(({ removed, added, baselineFrom, baselineTo }) => {
    const kept = new Set(added);
    const isBack = (line: string): boolean => put.has(line) && !kept.has(line);
    return removed.some(isBack)
      ? { from: baselineFrom, to: baselineTo, lines: removed.filter((line) => !isBack(line)) }
      : [];
  });
  if (changes.length === 0) return review;
  return { ...review, baseline: textWith(applyLineChanges(linesOf(baseline), changes)) };
}

/** All of the file is another one, made by somebody else. */
function replacedAsWhole(review: FileReview, after: Content): FileReview {
  return { ...review, baseline: after, document: after, marks: [], wholeFileBy: [] };
}

/**
 * Somebody made a file where the agent took one away: theirs is nothing to decide about, and what the
 * agent took away stays pending beside it.
 */
function madeAgain(
  review: FileReview,
  old: readonly string[],
  lines: readonly string[],
  by: 'user' | 'outside' | 'decided',
): FileReview {
  const document: Content = { kind: 'text', lines };
  // It is back, with what somebody made of it since. Of a new file with a yes that is known: it is not the old one.
  if (by !== 'decided' && isAlike(old, lines)) return replacedAsWhole(review, document);
  const marks = [...review.marks, { from: 0, to: lines.length, by: 'outside' as const }];
  const baseline: Content = { kind: 'text', lines: unionLines(old, lines) };
  return { ...review, baseline, document, marks };
}

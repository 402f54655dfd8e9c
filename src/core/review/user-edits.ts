import { lineChanges } from '../merge/line-changes.ts';
import { bothOf } from './both-of.ts';
import { accept } from './decide.ts';
import { linesOf, remembered, sameContent, sameLines } from './file-review.ts';
import type { Content, FileReview } from './file-review.ts';
import { withForeignEdits } from './foreign-edits.ts';
import type { ForeignEdit } from './foreign-edits.ts';
import { hunksOf, isSettled } from './hunks.ts';

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
 * What the person typed, pasted or deleted. It is not pending: it goes into the baseline as well,
 * except within a pending hunk, which then says that it was edited.
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
  if (review.document.kind !== 'text' || after.kind !== 'text' || changes.length > MANY)
    return replacedByLines(known, after, 'user');
  let next = known;
  for (const change of changes) {
    const edit = editOf(next, change);
    if (edit !== undefined) next = withForeignEdits(next, [edit], 'user');
  }
  // An editor and a review that do not agree on the text would go on apart: the editor is right.
  return sameLines(linesOf(next.document), after.lines)
    ? next
    : replacedByLines(known, after, 'user');
}

/** The lines that a change replaces; `undefined`: nothing. */
function editOf(review: FileReview, { start, end, text }: TypedChange): ForeignEdit | undefined {
  const document = linesOf(review.document);
  const before = (document[start.line] ?? '').slice(0, start.character);
  const behind = (document[end.line] ?? '').slice(end.character);
  const old = document.slice(start.line, end.line + 1);
  const made = `${before}${text.replaceAll('\r\n', '\n')}${behind}`.split('\n');
  const least = Math.min(old.length, made.length);
  let head = 0;
  while (head < least && old[head] === made[head]) head += 1;
  let tail = 0;
  while (tail < least - head && old.at(-1 - tail) === made.at(-1 - tail)) tail += 1;
  const [from, to] = [start.line + head, start.line + old.length - tail];
  const lines = made.slice(head, made.length - tail);
  if (from === to && lines.length === 0) return undefined;
  const isProposed = (line: number): boolean =>
    hunksOf(review).some(
      ({ documentFrom, documentTo }) => documentFrom <= line && line < documentTo,
    );
  const keepsProposal =
    from < to &&
    ((head === 0 && before.trim() !== '' && isProposed(from)) ||
      (tail === 0 && behind.trim() !== '' && isProposed(to - 1)));
  return { from, to, lines, keepsProposal };
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
 * not pending; where it changes lines of a hunk, the hunk is marked and keeps what it had replaced.
 */
export function changedOutside(review: FileReview, after: Content): FileReview {
  if (sameContent(review.document, after)) return review.gone ? { ...review, gone: false } : review;
  const next = replacedByLines(remembered(review), after, 'outside');
  return remembered({ ...next, gone: after.kind === 'absent' });
}

/** Edits of which only the texts before and after are known. */
function replacedByLines(review: FileReview, after: Content, by: 'user' | 'outside'): FileReview {
  if (sameContent(review.document, after)) return review;
  // The file is gone, or no text any more: what was pending waits until somebody decides.
  if (after.kind === 'absent') return review;
  if (review.document.kind === 'absent' && review.baseline.kind === 'text' && after.kind === 'text')
    return madeAgain(review, review.baseline.lines, after.lines);
  if (after.kind === 'binary' || review.document.kind !== 'text') {
    const isUntouched = sameContent(review.baseline, review.document);
    return { ...review, document: after, ...(isUntouched ? { baseline: after } : {}) };
  }
  const changes = lineChanges(review.document.lines, after.lines).flatMap(byLine);
  const edits = changes.map((change): ForeignEdit => {
    const { from, to, lines } = change;
    return { ...change, keepsProposal: from < to && lines.length > 0 };
  });
  return withForeignEdits(review, edits, by);
}

/**
 * Somebody made a file where the agent took one away: theirs is nothing to decide about, and what the
 * agent took away stays pending beside it.
 */
function madeAgain(
  review: FileReview,
  old: readonly string[],
  lines: readonly string[],
): FileReview {
  const marks = [...review.marks, { from: 0, to: lines.length, by: 'outside' as const }];
  const baseline: Content = { kind: 'text', lines: bothOf(old, lines) };
  return { ...review, baseline, document: { kind: 'text', lines }, marks };
}

/** As many new lines as old ones are taken to be the same lines, changed. */
function byLine(change: {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}): readonly (typeof change)[] {
  const { from, to, lines } = change;
  if (lines.length !== to - from) return [change];
  return lines.map((line, index) => ({ from: from + index, to: from + index + 1, lines: [line] }));
}

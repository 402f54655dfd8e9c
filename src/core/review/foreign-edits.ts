import { applyLineChanges, lineChanges } from '../merge/line-changes.ts';
import type { LineChange } from '../merge/line-changes.ts';
import { linesOf, movedMarks, sameLines } from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import { hunksOf } from './hunks.ts';
import type { Hunk } from './hunks.ts';

/** Lines of the document that the person, or something else, replaced. */
export interface ForeignEdit extends LineChange {
  /** Something of the agent's lines is left in the new ones: they stay pending. */
  readonly keepsProposal: boolean;
}

/**
 * The document after edits that are not the agent's, and the baseline with the same edits, so that
 * they are not pending:
 * - new lines are in both, wherever they are put: rejecting a hunk around them keeps them;
 * - lines that were there anyway are changed or go in both;
 * - the agent's lines go from the document only; where something of them is left, the new lines stay
 *   part of the hunk, which says so.
 * @param edits in the order of the document, not overlapping
 */
export function withForeignEdits(
  review: FileReview,
  edits: readonly ForeignEdit[],
  by: 'user' | 'outside',
): FileReview {
  const hunks = hunksOf(review);
  const before = linesOf(review.baseline);
  const baselineChanges: LineChange[] = [];
  let { marks } = review;
  for (const edit of edits.toReversed()) {
    const touched = hunks.filter((hunk) => touches(hunk, edit));
    marks = movedMarks(marks, edit);
    if (touched.length > 0 || (by === 'user' && edit.lines.length > 0))
      marks = withMark(marks, markOf(edit, by));
    if (touched.length > 0 && edit.from < edit.to) {
      if (edit.keepsProposal || isRevert(review, hunks, touched, edit)) continue;
      baselineChanges.unshift(...taken(hunks, edit));
    } else if (edit.from < edit.to) {
      baselineChanges.unshift(withBroughtBack(hunks, edit, commonLine(hunks, edit.from)));
      continue;
    }
    const back = broughtBack(hunks, edit, by);
    if (back !== undefined) {
      baselineChanges.unshift(...back);
      continue;
    }
    const at = placeInBaseline(hunks, edit.from);
    if (edit.lines.length > 0) baselineChanges.unshift({ from: at, to: at, lines: edit.lines });
  }
  return {
    ...review,
    baseline: textOr(review.baseline, applyInOrder(before, baselineChanges)),
    document: { kind: 'text', lines: applyLineChanges(linesOf(review.document), edits) },
    marks,
  };
}

function touches({ documentFrom, documentTo }: Hunk, { from, to }: LineChange): boolean {
  if (from === to) return documentFrom < from && from < documentTo;
  if (documentFrom === documentTo) return from < documentFrom && documentFrom < to;
  return documentFrom < to && documentTo > from;
}

function markOf({ from, lines }: LineChange, by: Mark['by']): Mark {
  return { from, to: from + lines.length, by };
}

/** With a mark that is joined to those of the same hand beside it: every keystroke makes one. */
function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const joins = (one: Mark): boolean =>
    one.by === mark.by && one.from <= mark.to && one.to >= mark.from;
  const near = marks.filter(joins);
  if (near.length === 0) return [...marks, mark];
  const all = [...near, mark];
  return [
    ...marks.filter((one) => !joins(one)),
    {
      from: Math.min(...all.map(({ from }) => from)),
      to: Math.max(...all.map(({ to }) => to)),
      by: mark.by,
    },
  ];
}

/** Where a line of the document that is in no hunk stands in the baseline. */
function commonLine(hunks: readonly Hunk[], line: number): number {
  const last = hunks.findLast(({ documentTo }) => documentTo <= line);
  return last === undefined ? line : line + last.baselineTo - last.documentTo;
}

/**
 * Where new lines before a line of the document go in the baseline: before a hunk that begins there,
 * and behind the lines of a hunk that they are put into.
 */
function placeInBaseline(hunks: readonly Hunk[], line: number): number {
  let shift = 0;
  for (const hunk of hunks) {
    if (line <= hunk.documentFrom) break;
    if (line < hunk.documentTo) return hunk.baselineTo;
    shift = hunk.baselineTo - hunk.documentTo;
  }
  return line + shift;
}

/**
 * New lines where a hunk took lines away, some of which are these: they are in the baseline already, and
 * only the others go there. A person's lines count so only when they are all of them: a bracket that is
 * typed may be another one.
 */
function broughtBack(
  hunks: readonly Hunk[],
  { from, to, lines }: LineChange,
  by: 'user' | 'outside',
): readonly LineChange[] | undefined {
  if (from < to || lines.length === 0) return undefined;
  const hunk = hunks.find(
    ({ documentFrom, documentTo, removed }) =>
      removed.length > 0 && documentFrom <= from && from <= documentTo,
  );
  if (hunk === undefined) return undefined;
  const { removed, baselineFrom } = hunk;
  if (by === 'user') return sameLines(removed, lines) ? [] : undefined;
  const changes = lineChanges(removed, lines);
  if (changes.some((change) => change.to - change.from === removed.length)) return undefined;
  return changes
    .filter((change) => change.lines.length > 0)
    .map((change) => ({
      from: baselineFrom + change.from,
      to: baselineFrom + change.from,
      lines: change.lines,
    }));
}

/**
 * Lines that become others, in the baseline; where the new ones begin or end with those that the agent
 * took away right there, those are back and not pending any more.
 */
function withBroughtBack(
  hunks: readonly Hunk[],
  { from, to, lines }: LineChange,
  start: number,
): LineChange {
  const taken = (at: number, part: (count: number) => readonly string[]): Hunk | undefined =>
    hunks.find(
      ({ documentFrom, documentTo, removed }) =>
        documentFrom === at && documentTo === at && sameLines(removed, part(removed.length)),
    );
  const before = taken(from, (count) => lines.slice(0, count));
  const behind = taken(to, (count) => lines.slice(-count));
  if (behind !== undefined) return { from: start, to: behind.baselineTo, lines };
  return { from: before?.baselineFrom ?? start, to: start + (to - from), lines };
}

/** The edit brings back what the hunks that it touches had replaced. */
function isRevert(
  review: FileReview,
  hunks: readonly Hunk[],
  touched: readonly Hunk[],
  edit: ForeignEdit,
): boolean {
  const [first, last] = [touched[0], touched.at(-1)];
  if (first === undefined || last === undefined) return false;
  const document = linesOf(review.document);
  const from = Math.min(edit.from, first.documentFrom);
  const to = Math.max(edit.to, last.documentTo);
  const now = [...document.slice(from, edit.from), ...edit.lines, ...document.slice(edit.to, to)];
  const baselineFrom =
    edit.from < first.documentFrom ? commonLine(hunks, edit.from) : first.baselineFrom;
  const baselineTo =
    edit.to > last.documentTo ? commonLine(hunks, edit.to - 1) + 1 : last.baselineTo;
  return sameLines(now, linesOf(review.baseline).slice(baselineFrom, baselineTo));
}

/** The lines of both texts among those that the edit takes away. */
function taken(hunks: readonly Hunk[], { from, to }: LineChange): readonly LineChange[] {
  const changes: LineChange[] = [];
  let at = from;
  const upTo = (end: number): void => {
    if (at >= end) return;
    const start = commonLine(hunks, at);
    changes.push({ from: start, to: start + (end - at), lines: [] });
  };
  for (const hunk of hunks) {
    if (hunk.documentTo <= from) continue;
    if (hunk.documentFrom >= to) break;
    upTo(hunk.documentFrom);
    at = Math.max(at, hunk.documentTo);
  }
  upTo(to);
  return changes;
}

/** Changes in the order of their places; insertions at one place in the order given. */
function applyInOrder(lines: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const sorted = changes
    .map((change, index) => ({ change, index }))
    .toSorted((a, b) => a.change.from - b.change.from || a.index - b.index)
    .map(({ change }) => change);
  return applyLineChanges(lines, sorted);
}

/** What was absent stays so until there is something of somebody else's in it. */
function textOr(before: Content, lines: readonly string[]): Content {
  if (before.kind === 'absent' && lines.length === 0) return before;
  return { kind: 'text', lines: lines.length === 0 ? [''] : lines };
}

import { firstWhere } from '../../merge/first-where.ts';
import { type LineChange, applyLineChanges, lineChanges } from '../../merge/line-changes.ts';
import { linesOf, movedMarks, sameLines, textWith } from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/** Lines of the document that the person, or something else, replaced. */
export interface ForeignEdit extends LineChange {
  /** Something of the agent's lines is left in the new ones: they stay pending. */
  readonly keepsChange: boolean;
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
  const made: Mark[] = [];
  let offset = 0;
  for (const edit of edits) {
    const touched = hunksNear(hunks, edit).filter((hunk) => touches(hunk, edit));
    if (touched.length > 0 || (by === 'user' && edit.lines.length > 0))
      made.push(markOf(edit, offset, by));
    offset += edit.lines.length - (edit.to - edit.from);
    const goes = edit.from < edit.to;
    if (goes) {
      const [first] = touched;
      if (first === undefined) {
        baselineChanges.push(withBroughtBack(hunks, edit, commonLine(hunks, edit.from)));
        continue;
      }
      const last = touched.at(-1) ?? first;
      if (edit.keepsChange || isRevert(review, [first, last], edit)) continue;
    }
    const at = placeInBaseline(hunks, edit.from);
    const comes = { from: at, to: at, lines: edit.lines };
    for (const change of broughtBack(hunks, edit, by) ?? [comes]) baselineChanges.push(change);
    for (const change of taken(hunks, edit)) baselineChanges.push(change);
  }
  return {
    ...review,
    baseline: textOr(review.baseline, applyInOrder(before, baselineChanges)),
    document: { kind: 'text', lines: applyLineChanges(linesOf(review.document), edits) },
    marks: withMarks(movedMarks(review.marks, edits), made, by),
  };
}

/** Hunks that may have to do with an edit: they are in order, and none touches the next. */
function hunksNear(hunks: readonly Hunk[], { from, to }: LineChange): readonly Hunk[] {
  const first = firstWhere(hunks, ({ documentTo }) => documentTo >= from);
  return hunks.slice(
    first,
    firstWhere(hunks, ({ documentFrom }) => documentFrom > to),
  );
}

function touches({ documentFrom, documentTo }: Hunk, { from, to }: LineChange): boolean {
  if (from === to) return documentFrom < from && from < documentTo;
  if (documentFrom === documentTo) return from < documentFrom && documentFrom < to;
  return documentFrom < to && documentTo > from;
}

function markOf({ from, lines }: LineChange, offset: number, by: Mark['by']): Mark {
  return { from: from + offset, to: from + offset + lines.length, by };
}

/** With marks of one hand, joined to those of the same hand beside them: every keystroke makes one. */
function withMarks(
  marks: readonly Mark[],
  made: readonly Mark[],
  by: 'user' | 'outside',
): readonly Mark[] {
  if (made.length === 0) return marks;
  const own = [...marks.filter((one) => one.by === by), ...made];
  const joined: Mark[] = [];
  for (const mark of own.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < mark.from) joined.push(mark);
    else joined[joined.length - 1] = { ...last, to: Math.max(last.to, mark.to) };
  }
  return [...marks.filter((one) => one.by !== by), ...joined];
}

/** Where a line of the document that is in no hunk stands in the baseline. */
function commonLine(hunks: readonly Hunk[], line: number): number {
  const last = hunks[firstWhere(hunks, ({ documentTo }) => documentTo > line) - 1];
  return last === undefined ? line : line + last.baselineTo - last.documentTo;
}

/**
 * Where new lines before a line of the document go in the baseline: before a hunk that begins there,
 * and behind the lines of a hunk that they are put into.
 */
function placeInBaseline(hunks: readonly Hunk[], line: number): number {
  // The last hunk that begins before the line.
  const hunk = hunks[firstWhere(hunks, ({ documentFrom }) => documentFrom >= line) - 1];
  if (hunk === undefined) return line;
  return line < hunk.documentTo ? hunk.baselineTo : line + hunk.baselineTo - hunk.documentTo;
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
  const [hunk] = hunksNear(hunks, { from, to, lines });
  if (from < to || hunk === undefined) return undefined;
  const { removed, baselineFrom } = hunk;
  if (by === 'user') return sameLines(removed, lines) ? [] : undefined;
  const changes = lineChanges(removed, lines);
  if (changes.some((change) => change.to - change.from === removed.length)) return undefined;
  return changes.map((change) => ({
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
    hunksNear(hunks, { from: at, to: at, lines: [] }).find(
      ({ documentFrom, documentTo, removed }) =>
        documentFrom === at && documentTo === at && sameLines(removed, part(removed.length)),
    );
  const before = taken(from, (count) => lines.slice(0, count));
  const behind = taken(to, (count) => lines.slice(-count));
  if (behind !== undefined) return { from: start, to: behind.baselineTo, lines };
  return { from: before?.baselineFrom ?? start, to: start + (to - from), lines };
}

/** The edit brings back what the hunks had replaced that it touches: all from the first to the last. */
function isRevert(
  { baseline }: FileReview,
  [first, last]: readonly [Hunk, Hunk],
  { from, to, lines }: ForeignEdit,
): boolean {
  // Lines before them, and behind, are those of the baseline.
  const before = first.documentFrom - from;
  const behind = to - last.documentTo;
  const was = linesOf(baseline).slice(first.baselineFrom - before, last.baselineTo + behind);
  return before >= 0 && behind >= 0 && sameLines(lines, was);
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
  for (const hunk of hunksNear(hunks, { from, to, lines: [] })) {
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
  return applyLineChanges(
    lines,
    changes.toSorted((a, b) => a.from - b.from),
  );
}

/** An absent file stays absent until somebody else's text is in it. */
function textOr(before: Content, lines: readonly string[]): Content {
  if (before.kind === 'absent' && lines.length === 0) return before;
  return textWith(lines);
}

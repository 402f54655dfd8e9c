import { firstWhere } from '../../merge/first-where.ts';
import { type LineChange, applyLineChanges } from '../../merge/line-changes.ts';
import { differences } from './differences.ts';
import { linesOf, movedMarks, sameContent, sameLines, textWith } from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/**
 * Whose hands changed a file: `editor` is everything that happens to its text in an editor (typing, paste, undo, a
 * formatter on save), `program` is another program that wrote the file.
 */
export type OtherHands = 'editor' | 'program';

/**
 * The one rule for changes that are not the agent's: a change outside of all hunks goes into the baseline as well; one
 * that overlaps a hunk becomes part of it, and the hunk is marked as edited by the user. A hunk of which another
 * program left no line is gone, and so is every hunk of a file that became another kind of content.
 */
export function withOtherHands(row: FileReview, after: Content, by: OtherHands): FileReview {
  const { document, baseline } = row;
  if (sameContent(document, after)) return row;
  if (sameContent(baseline, after)) return { ...row, document: baseline, marks: [] };
  if (document.kind !== 'text' || after.kind !== 'text' || baseline.kind === 'binary')
    return withoutChanges(row, after);
  return withLines(row, after, differences(document, after), by);
}

/** Nothing in the file is the agent's any more. */
export function withoutChanges(row: FileReview, content: Content): FileReview {
  const { kept: _, renamedFrom: __, ...rest } = row;
  return { ...rest, baseline: content, document: content, marks: [], wholeFileBy: [] };
}

function withLines(
  row: FileReview,
  after: Content,
  changes: readonly LineChange[],
  by: OtherHands,
): FileReview {
  const hunks = hunksOf(row);
  const inBaseline: LineChange[] = [];
  const made: Mark[] = [];
  let offset = 0;
  for (const change of changes) {
    const { from, to, lines } = change;
    const touched = hunksNear(hunks, change).filter((hunk) => overlaps(hunk, change));
    const [first, last] = [touched[0], touched.at(-1)];
    if (first === undefined || last === undefined) {
      const start = placeInBaseline(hunks, from);
      inBaseline.push({ from: start, to: start + (to - from), lines });
    } else if (by === 'program' && isWrittenOver(touched, change))
      inBaseline.push({
        from: first.baselineFrom - (first.documentFrom - from),
        to: last.baselineTo + (to - last.documentTo),
        lines,
      });
    else made.push({ from: from + offset, to: from + offset + lines.length, by: 'user' });
    offset += lines.length - (to - from);
  }
  const isNew = row.baseline.kind === 'absent' && inBaseline.length === 0;
  return {
    ...row,
    baseline: isNew ? row.baseline : textWith(applyLineChanges(linesOf(row.baseline), inBaseline)),
    document: after,
    marks: joinMarks([...movedMarks(row.marks, changes), ...made]),
  };
}

/** Hunks that may have to do with a change: they are in order, and none touches the next. */
function hunksNear(hunks: readonly Hunk[], { from, to }: LineChange): readonly Hunk[] {
  return hunks.slice(
    firstWhere(hunks, ({ documentTo }) => documentTo >= from),
    firstWhere(hunks, ({ documentFrom }) => documentFrom > to),
  );
}

/** New lines at the edge of a hunk are beside it, unless they are the lines that it took away. */
function overlaps({ kind, removed, documentFrom, documentTo }: Hunk, change: LineChange): boolean {
  const { from, to, lines } = change;
  if (kind !== 'change') return true;
  if (from === to)
    return (
      (documentFrom < from && from < documentTo) ||
      (documentFrom === documentTo && documentFrom === from && sameLines(removed, lines))
    );
  if (documentFrom === documentTo) return from < documentFrom && documentFrom < to;
  return documentFrom < to && documentTo > from;
}

/** True when a change covers hunks and none of their lines is left in it, apart from white space. */
function isWrittenOver(hunks: readonly Hunk[], { from, to, lines }: LineChange): boolean {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (first.documentFrom < from || last.documentTo > to) return false;
  const left = new Set(lines.map(withoutWhiteSpace));
  return hunks.every(
    ({ added }) => !added.some((line) => hasWord(line) && left.has(withoutWhiteSpace(line))),
  );
}

function withoutWhiteSpace(line: string): string {
  return line.replaceAll(/\s+/gu, '');
}

/** A bracket or an empty line is in every file. */
function hasWord(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}

/** Where a line of the document that is in no hunk stands in the baseline. */
function placeInBaseline(hunks: readonly Hunk[], line: number): number {
  const last = hunks[firstWhere(hunks, ({ documentTo }) => documentTo > line) - 1];
  return last === undefined ? line : line + last.baselineTo - last.documentTo;
}

/** Joins the user's marks that touch: every keystroke makes one. */
function joinMarks(marks: readonly Mark[]): readonly Mark[] {
  const others = marks.filter(({ by }) => by !== 'user');
  const joined: Mark[] = [];
  for (const mark of marks.filter(({ by }) => by === 'user').toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < mark.from) joined.push(mark);
    else joined[joined.length - 1] = { ...last, to: Math.max(last.to, mark.to) };
  }
  return [...others, ...joined];
}

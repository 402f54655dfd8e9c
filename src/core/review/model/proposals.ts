import { type LineChange, lineChanges } from '../../merge/line-changes.ts';
import { type MergeRegion, mergeLines } from '../../merge/merge-lines.ts';
import { marksOf } from './agent-edits.ts';
import { unionLines } from './union-lines.ts';
import type { Restored } from './restored.ts';
import { differences } from './differences.ts';
import {
  linesOf,
  movedMarks,
  remembered,
  sameContent,
  sameLines,
  textWith,
} from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import { isSettled } from './hunks.ts';

/**
 * Of a proposal, which is not on disk before it is accepted, the baseline is the file and the document
 * is what the file would become.
 */

/**
 * The proposal after the file became another one: what changed there goes into both texts. Where the
 * proposal changes the same lines both are kept, and they are marked.
 * @param hand whose change of the file it is
 */
export function rebased(
  review: FileReview,
  file: Content,
  hand: 'person' | 'other' = 'other',
): FileReview {
  const { baseline, document } = review;
  if (sameContent(baseline, file))
    return review.fileMissing ? { ...review, fileMissing: false } : review;
  const known = remembered(review);
  // Nothing is proposed: it goes with the file.
  if (isSettled(review))
    return { ...known, baseline: file, document: file, marks: [], fileMissing: false };
  const gone = file.kind === 'absent' && baseline.kind !== 'absent';
  // Only its name, or nothing of its text, is to be another one.
  if (!gone && sameContent(baseline, document))
    return { ...known, baseline: file, document: file, fileMissing: gone };
  if (gone && document.kind === 'absent') {
    // A file that was to be deleted is gone: there is nothing left to decide.
    const { renamedFrom: _, ...rest } = known;
    return { ...rest, baseline: file, fileMissing: false };
  }
  const by = hand === 'person' ? 'user beneath' : 'outside';
  if (file.kind === 'text' && document.kind === 'text')
    return { ...mergedProposal(known, { baseline, document, file, by }), fileMissing: gone };
  // Nothing can be merged: all of what is there would go, and that is another thing by now.
  const marks = gone ? known.marks : [...known.marks, { from: 0, to: 0, by } as const];
  return { ...known, baseline: file, marks, fileMissing: gone };
}

type Text = Extract<Content, { readonly kind: 'text' }>;

function mergedProposal(
  known: FileReview,
  {
    baseline,
    document,
    file,
    by,
  }: {
    readonly baseline: Content;
    readonly document: Text;
    readonly file: Text;
    readonly by: Mark['by'];
  },
): FileReview {
  const regions = mergeLines(linesOf(baseline), document.lines, file.lines);
  const lines: string[] = [];
  const conflicts: Mark[] = [];
  for (const region of regions) {
    const from = lines.length;
    const { kind, ours, theirs } = region;
    const made = kind === 'conflict' ? united(region) : undefined;
    for (const line of made?.lines ?? (kind === 'theirs' ? theirs : ours)) lines.push(line);
    if (made?.isOverlap === true) conflicts.push({ from, to: lines.length, by });
  }
  const marks = [...movedMarks(known.marks, lineChanges(document.lines, lines)), ...conflicts];
  return { ...known, baseline: file, document: textWith(lines), marks };
}

/**
 * The lines that both sides put into a region, without those that either took away.
 * @returns `isOverlap`: both took away the same line, to put others in its place
 */
export function united({ base, ours, theirs }: MergeRegion): {
  readonly lines: readonly string[];
  readonly isOverlap: boolean;
} {
  const lines: string[] = [];
  const [left, right] = [lineChanges(base, ours), lineChanges(base, theirs)];
  const [leftAt, rightAt] = [changeAt(left), changeAt(right)];
  let isOverlap = false;
  for (let at = 0; at <= base.length; at += 1) {
    const [one, other] = [leftAt(at), rightAt(at)];
    // A proposed change stands behind the lines that it replaces, one that is in the file now before them.
    const own = one?.to === at ? one : undefined;
    const put = other?.from === at ? other : undefined;
    const isSame = own !== undefined && other !== undefined && sameChange(other, own);
    for (const line of unionLines(isSame ? [] : linesIn(own), linesIn(put))) lines.push(line);
    if (at === base.length) break;
    const [isOurs, isTheirs] = [takes(one, at), takes(other, at)];
    isOverlap ||= isOurs && isTheirs;
    if (!isOurs && !isTheirs) lines.push(base[at] ?? '');
  }
  return { lines, isOverlap };
}

/** The change that a line is in or that ends before it; to be asked for one line after the other. */
function changeAt(changes: readonly LineChange[]): (line: number) => LineChange | undefined {
  let next = 0;
  return (line) => {
    while ((changes[next]?.to ?? Infinity) < line) next += 1;
    return changes[next];
  };
}

function linesIn(change: LineChange | undefined): readonly string[] {
  return change?.lines ?? [];
}

function takes(change: LineChange | undefined, at: number): boolean {
  return change !== undefined && change.from <= at && at < change.to;
}

function sameChange(a: LineChange, b: LineChange): boolean {
  return a.from === b.from && a.to === b.to && sameLines(a.lines, b.lines);
}

/** Edits of the person in the proposal itself are part of it, whatever they are. */
export function proposalEdited(review: FileReview, after: Content): FileReview {
  const { document } = review;
  if (sameContent(document, after)) return review;
  const known = { ...remembered(review), document: after };
  if (document.kind !== 'text' || after.kind !== 'text') return remembered(known);
  const changes = differences(document, after);
  const marks = [...movedMarks(review.marks, changes), ...marksOf(changes, 'user')];
  return remembered({ ...known, marks });
}

/** A stored proposal and the file as it is at the start. */
export function restoredProposal(review: FileReview, file: Content): Restored {
  return { kind: 'current', review: rebased(review, file) };
}

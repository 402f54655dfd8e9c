import { lineChanges } from '../merge/line-changes.ts';
import { mergeLines } from '../merge/merge-lines.ts';
import type { Restored } from './disk.ts';
import { linesOf, movedMarks, remembered, sameContent } from './file-review.ts';
import type { Content, FileReview, Mark } from './file-review.ts';

/**
 * Of a proposal, which is not on disk before it is accepted, the baseline is the file and the document
 * is what the file would become.
 */

/**
 * The proposal after the file became another one: what changed there goes into both texts. Where the
 * proposal changes the same lines it keeps its own, and these are marked: what is in the file now is
 * shown as what accepting would replace.
 */
export function rebased(review: FileReview, file: Content): FileReview {
  const { baseline, document } = review;
  if (sameContent(baseline, file)) return review.gone ? { ...review, gone: false } : review;
  const known = remembered(review);
  const gone = file.kind === 'absent' && baseline.kind !== 'absent';
  if (gone && document.kind === 'absent') {
    // What was to be deleted is: there is nothing left to decide.
    const { renamedFrom: _, ...rest } = known;
    return { ...rest, baseline: file, gone: false };
  }
  if (file.kind !== 'text' || document.kind !== 'text') return { ...known, baseline: file, gone };
  const regions = mergeLines(linesOf(baseline), document.lines, file.lines);
  const lines: string[] = [];
  const conflicts: Mark[] = [];
  for (const { kind, ours, theirs } of regions) {
    const made = kind === 'theirs' ? theirs : ours;
    if (kind === 'conflict')
      conflicts.push({ from: lines.length, to: lines.length + made.length, by: 'outside' });
    for (const line of made) lines.push(line);
  }
  const changes = lineChanges(document.lines, lines);
  const marks = [...changes.reduceRight(movedMarks, known.marks), ...conflicts];
  return { ...known, baseline: file, document: textOr(lines), marks, gone };
}

/** What the person made of the proposal itself: it is part of it, whatever it is. */
export function proposalEdited(review: FileReview, after: Content): FileReview {
  const { document } = review;
  if (sameContent(document, after)) return review;
  const known = { ...remembered(review), document: after };
  if (document.kind !== 'text' || after.kind !== 'text') return remembered(known);
  let { marks } = review;
  for (const change of lineChanges(document.lines, after.lines).toReversed()) {
    const { from, lines } = change;
    marks = [...movedMarks(marks, change), { from, to: from + lines.length, by: 'user' }];
  }
  return remembered({ ...known, marks });
}

/** A stored proposal and the file as it is at the start. */
export function restoredProposal(review: FileReview, file: Content): Restored {
  return { kind: 'current', review: rebased(review, file) };
}

function textOr(lines: readonly string[]): Content {
  return { kind: 'text', lines: lines.length === 0 ? [''] : lines };
}

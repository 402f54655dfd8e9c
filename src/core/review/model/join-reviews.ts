import { unionLines } from './union-lines.ts';
import { type FileReview, linesOf } from './file-review.ts';

/**
 * Joins the pending changes of a file that was moved to a name at which others are pending, such as the deletion of
 * the file that was there. Nothing of either is dropped: they are decided together.
 */
export function joinReviews(there: FileReview, moved: FileReview): FileReview {
  const { document } = moved;
  const baseline =
    there.baseline.kind === 'text' && !there.fileMissing
      ? ({
          kind: 'text',
          lines: unionLines(there.baseline.lines, linesOf(moved.baseline)),
        } as const)
      : moved.baseline;
  const all = { from: 0, to: linesOf(document).length, by: 'outside' as const };
  const whole = [...there.wholeFileBy, ...moved.wholeFileBy];
  return { ...moved, baseline, document, wholeFileBy: whole, marks: [...moved.marks, all] };
}

import { unionLines } from './union-lines.ts';
import { type FileReview, linesOf } from './file-review.ts';
import { rebased } from './proposals.ts';
import type { ReviewKind } from './review-kinds.ts';

/**
 * A file was moved to a name at which something else is pending: the deletion of what was there, or a
 * new file that is proposed. Nothing of either is dropped: they are decided together, and say so.
 */
export function joinReviews(kind: ReviewKind, there: FileReview, moved: FileReview): FileReview {
  const by = kind === 'written' ? ('outside' as const) : ('user beneath' as const);
  const document = kind === 'written' ? moved.document : rebased(there, moved.document).document;
  const baseline =
    kind === 'written' && there.baseline.kind === 'text' && !there.fileMissing
      ? ({
          kind: 'text',
          lines: unionLines(there.baseline.lines, linesOf(moved.baseline)),
        } as const)
      : moved.baseline;
  const all = { from: 0, to: linesOf(document).length, by };
  const whole = [...there.wholeFileBy, ...moved.wholeFileBy];
  return { ...moved, baseline, document, wholeFileBy: whole, marks: [...moved.marks, all] };
}

import { lineChanges } from '../../merge/line-changes.ts';
import { type Content, type FileReview, linesOf, remembered, sameContent } from './file-review.ts';
import { changedOutside } from './user-edits.ts';

/** A stored review and the file as it is at the start. */
export type Restored =
  | { readonly kind: 'current' | 'merged'; readonly review: FileReview }
  /**
   * The file is gone, or is another one by now: what was pending is offered to the user, with the
   * agent's text (`document`) and the one before it (`baseline`).
   */
  | { readonly kind: 'gone' | 'unrecognizable'; readonly review: FileReview };

/** A file that keeps fewer of its lines than this share is another one. */
const SHARE_KEPT = 0.2;
/** Shorter files are never taken for others: a few lines change as a whole. */
const SHORT = 10;

/** Restores a stored review, with what happened to the file since. */
export function restored(review: FileReview, disk: Content): Restored {
  if (sameContent(review.document, disk))
    return { kind: 'current', review: remembered({ ...review, fileMissing: false }) };
  if (disk.kind === 'absent') return { kind: 'gone', review: { ...review, fileMissing: true } };
  if (review.document.kind === 'absent') {
    // Deleted by the agent, and there again.
    return { kind: 'merged', review: changedOutside(review, disk) };
  }
  if (disk.kind !== review.document.kind) return { kind: 'unrecognizable', review };
  const lines = linesOf(review.document);
  const changes = lineChanges(lines, linesOf(disk));
  const removed = changes.reduce((sum, { from, to }) => sum + (to - from), 0);
  if (lines.length >= SHORT && lines.length - removed < lines.length * SHARE_KEPT)
    return { kind: 'unrecognizable', review };
  return { kind: 'merged', review: changedOutside(review, disk) };
}

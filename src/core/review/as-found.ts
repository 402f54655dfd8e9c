import { newReview } from './file-review.ts';
import type { Content, FileReview } from './file-review.ts';
import { isSettled } from './hunks.ts';
import { changedOutside, stateWith } from './user-edits.ts';

/** The review of a file as the agent finds it. */
export function asFound(
  review: FileReview | undefined,
  path: string,
  content: Content,
): FileReview {
  // Nothing was pending, and the file came or went without a word: it begins with what is there.
  const isOther =
    review === undefined || (isSettled(review) && review.document.kind !== content.kind);
  // What nobody told us of happened outside.
  return isOther ? newReview(path, content) : changedOutside(review, content);
}

/** A review as it was before a command changed its file; `undefined`: that is not known. */
export function asBefore(review: FileReview, before: Content): FileReview | undefined {
  const isOther = isSettled(review) && review.document.kind !== before.kind;
  return isOther ? newReview(review.path, before) : stateWith(review, before);
}

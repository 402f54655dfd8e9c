import { withEdit } from './agent-edits.ts';
import { type Attribution, type Content, type FileReview, newReview } from './file-review.ts';
import { isSettled } from './hunks.ts';
import type { AgentEdit } from '../service/reviews-parts.ts';
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
  // An unexplained change happened outside.
  return isOther ? newReview(path, content) : changedOutside(review, content);
}

/**
 * A command has changed a file from one content to another. Where that was taken for somebody else's change, it is
 * not any more; where the file was another one before, nothing is known of it.
 */
export function changedByCommand(
  review: FileReview,
  { before, after, kept }: Pick<AgentEdit, 'before' | 'after' | 'kept'>,
  by: Attribution,
): FileReview {
  const current = asBefore(review, before);
  return current === undefined ? review : withEdit(current, after, by, { kept });
}

/** A review as it was before a command changed its file; `undefined`: that is not known. */
function asBefore(review: FileReview, before: Content): FileReview | undefined {
  const isOther = isSettled(review) && review.document.kind !== before.kind;
  return isOther ? newReview(review.path, before) : stateWith(review, before);
}

import { lineChanges } from '../../merge/line-changes.ts';
import { type FileReview, linesOf, sameContent } from './file-review.ts';

/** A change of the agent's file that the agent does not know. Lines are 0-based, of the document as it is. */
export interface UnreportedChange {
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Changes of the agent's text since it last wrote or heard of it: edits of the user, undone hunks, formatters. */
export function unreportedChanges({
  knownToModel: told,
  document,
}: FileReview): readonly UnreportedChange[] {
  if (sameContent(told, document)) return [];
  const before = linesOf(told);
  let offset = 0;
  return lineChanges(before, linesOf(document)).map(({ from, to, lines }) => {
    const line = from + offset;
    offset += lines.length - (to - from);
    return { line, removed: before.slice(from, to), added: lines };
  });
}

/** The agent has been told, or has read the file. */
export function asKnownToModel(review: FileReview): FileReview {
  return sameContent(review.knownToModel, review.document)
    ? review
    : { ...review, knownToModel: review.document };
}

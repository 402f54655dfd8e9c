import { atMost, LARGE, lineChanges, lineChangesByTurns } from '../../merge/line-changes.ts';
import type { LineChange } from '../../merge/line-changes.ts';
import { type Content, type FileReview, linesOf } from './file-review.ts';

const known = new WeakMap<
  Content,
  { readonly before: Content; readonly changes: readonly LineChange[] }
>();

/**
 * Changes of one file that are told apart: nobody decides about more of them one by one, and what is done
 * with them, each against each, takes some 20 ms at this number.
 */
const MAX_CHANGES = 1000;

/** The lines that differ; the last comparison of a text is kept: it is asked for again and again. */
export function differences(before: Content, after: Content): readonly LineChange[] {
  const found = known.get(after);
  if (found?.before === before) return found.changes;
  const lines = linesOf(after);
  const changes = atMost(lineChanges(linesOf(before), lines), lines, MAX_CHANGES);
  known.set(after, { before, changes });
  return changes;
}

/**
 * Compares a text with those of a review, by turns where they are large: what is made of the review
 * afterwards, in one go, takes no time for it.
 */
export async function compareFirst(
  review: Pick<FileReview, 'baseline' | 'document'> | undefined,
  after: Content,
  before = review?.document,
): Promise<void> {
  const lines = linesOf(after);
  for (const text of new Set([before, review?.document, review?.baseline])) {
    const others = text === undefined ? [] : linesOf(text);
    if (lines.length + others.length >= LARGE) await lineChangesByTurns(others, lines);
  }
}

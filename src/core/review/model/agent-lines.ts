import { decided, withoutHunks } from './decide.ts';
import { type FileReview, linesOf } from './file-review.ts';
import { hunksOf } from './hunks.ts';
import { isTelling } from './recognised.ts';

/**
 * Without what the agent only took away, or moved: lines that are missing are nobody's, and moved ones not its own.
 * Where a line was moved into one of its own hunks, the place it was taken from stays known: else it would pass for
 * the agent's when it is there again.
 */
export function agentLinesOf(review: FileReview): FileReview {
  // Of a file that is away there is not even a name.
  if (review.document.kind === 'absent') return decided(review);
  const before = new Set(linesOf(review.baseline));
  const hunks = hunksOf(review);
  const own = hunks.filter(({ added }) => isTelling(added.filter((line) => !before.has(line))));
  const moved = new Set(own.flatMap(({ added }) => added.filter((line) => before.has(line))));
  return withoutHunks(
    review,
    hunks.filter((hunk) => !own.includes(hunk) && !hunk.removed.some((line) => moved.has(line))),
  );
}

import { restored } from '../model/restored.ts';
import { type FileReview, sameContent } from '../model/file-review.ts';
import type { ReviewDisk } from './review-disk.ts';

/**
 * The review of a file that is at its other name: a crash came before or after it was renamed, or
 * something else took the renaming back. `undefined`: it is where the review says.
 */
export async function renamedBack(
  disk: ReviewDisk,
  review: FileReview,
): Promise<FileReview | undefined> {
  const { renamedFrom, ...rest } = review;
  if (renamedFrom === undefined) return undefined;
  const [from, to] = [await disk.now(renamedFrom), await disk.now(review.path)];
  if (to.content.kind !== 'absent' || from.content.kind === 'absent') return undefined;
  // One that the agent deleted afterwards: with less than its text it is not back.
  if (review.document.kind === 'absent' && !sameContent(from.content, review.baseline))
    return undefined;
  const back = restored({ ...rest, path: renamedFrom }, from.content);
  // Another text at the old name may be one that stood there all the time.
  const isAsBefore = back.kind === 'merged' && sameContent(from.content, review.baseline);
  return back.kind === 'current' || isAsBefore ? back.review : undefined;
}

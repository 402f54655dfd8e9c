import { type LineChange, lineChanges } from '../../core/merge/line-changes.ts';
import type { Choice } from '../../core/review/model/decide.ts';
import { linesOf, textContent, sameLines } from '../../core/review/model/file-review.ts';
import type { FileReview } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../core/review/model/hunks.ts';

/**
 * The pending changes that came into git's index: those that are in it now and were not before.
 * `undefined`: none.
 * @param before the text in the index until now; the last commit's where nothing was staged
 */
export function stagedHunks(review: FileReview, before: string, now: string): Choice | undefined {
  if (review.document.kind !== 'text') return undefined;
  const document = linesOf(review.document);
  const staged = linesIn(now);
  if (sameLines(staged, document))
    return sameLines(linesIn(before), document) ? undefined : ('all' as const);
  // Of a file that is new as a whole there is no part.
  const hunks = hunksOf(review).filter(({ kind }) => kind === 'change');
  const [old, others] = [lineChanges(document, linesIn(before)), lineChanges(document, staged)];
  const ids = hunks
    .filter((hunk) => touches(hunk, old) && !touches(hunk, others))
    .map(({ id }) => id);
  return ids.length === 0 ? undefined : ids;
}

function linesIn(text: string): readonly string[] {
  return linesOf(textContent(text.replace(/^\uFEFF/u, '')));
}

/** True when the hunk's lines are others in a text that differs from the document by these changes. */
function touches({ documentFrom, documentTo }: Hunk, differences: readonly LineChange[]): boolean {
  return differences.some(({ from, to }) =>
    documentFrom === documentTo || from === to
      ? from <= documentTo && to >= documentFrom
      : from < documentTo && to > documentFrom,
  );
}

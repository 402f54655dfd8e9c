import { lineChanges } from '../../core/merge/line-changes.ts';
import { LineEnds } from '../../core/merge/line-ends.ts';
import { linesOf, replacementsFor, textContent } from '../../core/review/model/file-review.ts';

/** Editors show no byte order mark. */
const MARK = /^\uFEFF/u;

/**
 * Returns the planned text with what the user changed of it in an editor. An editor drops the byte order mark and has
 * one kind of line end; lines that the user left alone keep theirs.
 */
export function applyUserEdit(planned: string, shown: string): string {
  const text = planned.replace(MARK, '');
  const lines = linesOf(textContent(text));
  const changes = lineChanges(lines, linesOf(textContent(shown.replace(MARK, ''))));
  if (changes.length === 0) return planned;
  const mark = planned.slice(0, planned.length - text.length);
  return mark + new LineEnds(text).apply(replacementsFor(lines, changes));
}

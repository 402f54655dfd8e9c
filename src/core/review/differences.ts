import { lineChanges } from '../merge/line-changes.ts';
import type { LineChange } from '../merge/line-changes.ts';
import { linesOf } from './file-review.ts';
import type { Content } from './file-review.ts';

const known = new WeakMap<
  Content,
  { readonly before: Content; readonly changes: readonly LineChange[] }
>();

/** The lines that differ; the last comparison of a text is kept: it is asked for again and again. */
export function differences(before: Content, after: Content): readonly LineChange[] {
  const found = known.get(after);
  if (found?.before === before) return found.changes;
  const changes = lineChanges(linesOf(before), linesOf(after));
  known.set(after, { before, changes });
  return changes;
}

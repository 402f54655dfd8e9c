import type { Choice } from './decide.ts';
import type { FileReview } from './file-review.ts';
import { chosenHunks, countChanges, linesIn } from './hunks.ts';

/** Pending changes of one file that a decision is about. */
export interface Selected {
  /** Absolute. */
  readonly path: string;
  /** Default: all of the file, its renaming included. */
  readonly choice?: Choice;
}

export interface PendingTotals {
  readonly files: number;
  readonly hunks: number;
  readonly added: number;
  readonly removed: number;
}

/** Sorts reviews by their paths. */
export function sortByPath(pending: readonly FileReview[]): readonly FileReview[] {
  return pending.toSorted((a, b) => Number(a.path > b.path) - Number(a.path < b.path));
}

/** Counts the files, hunks and lines of pending changes. A renaming alone counts as one hunk. */
export function countPending(pending: readonly FileReview[]): PendingTotals {
  const total = { hunks: 0, added: 0, removed: 0 };
  for (const review of pending) {
    const { added, removed } = linesIn(review);
    total.hunks += countChanges(review);
    total.added += added;
    total.removed += removed;
  }
  return { ...total, files: new Set(pending.map(({ path }) => path)).size };
}

/**
 * Leaves hunks that the user edited out of undoing several files.
 * A file of which some are left is decided in part and keeps its name.
 * @param find gives the pending changes of a file
 * @returns what the decision is about, and the number of hunks that are left
 */
export function withoutEdited(
  decision: 'keep' | 'undo',
  selected: readonly Selected[],
  find: (path: string) => FileReview | undefined,
): { readonly selected: readonly Selected[]; readonly left: number } {
  let left = 0;
  const others = selected.flatMap((one): readonly Selected[] => {
    const review = find(one.path);
    const hunks = review === undefined ? [] : chosenHunks(review, one.choice ?? 'all');
    const unedited = hunks.filter(({ editedByUser }) => decision === 'keep' || !editedByUser);
    if (unedited.length === hunks.length) return [one];
    left += hunks.length - unedited.length;
    return unedited.length === 0 ? [] : [{ ...one, choice: unedited.map(({ id }) => id) }];
  });
  return { selected: others, left };
}

/** Joins the selected hunks of each file, to be decided at once: a decision may give its other hunks new names. */
export function joinSelected(selected: readonly Selected[]): readonly Selected[] {
  const files = new Map<string, Selected>();
  for (const one of selected) {
    const { choice = 'all' } = files.get(one.path) ?? { choice: [] };
    const { choice: more = 'all' } = one;
    const isAll = choice === 'all' || more === 'all';
    files.set(one.path, { ...one, choice: isAll ? 'all' : [...new Set([...choice, ...more])] });
  }
  return [...files.values()];
}

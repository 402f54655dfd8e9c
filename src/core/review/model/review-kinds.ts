import type { Choice } from './decide.ts';
import { type FileReview, proposedAt } from './file-review.ts';
import { type Hunk, chosenHunks, pendingIn } from './hunks.ts';

/**
 * Where pending changes are: `written` ones are in the file already, `proposed` ones reach it when they
 * are accepted (mode Ask). A file may have both: then the proposal is about the file as it is. `asked`
 * are proposals for which a call waits; they are stored nowhere.
 */
export type ReviewKind = 'written' | 'proposed' | 'asked';
export type StoredKind = Exclude<ReviewKind, 'asked'>;

export const STORED_KINDS = ['written', 'proposed'] as const satisfies readonly StoredKind[];
export const KINDS = [...STORED_KINDS, 'asked'] as const satisfies readonly ReviewKind[];

/** The pending changes of a file. */
export interface PendingReview {
  readonly kind: ReviewKind;
  readonly review: FileReview;
}

/** Pending changes that nobody waits for: they are there until they are decided. */
export interface StoredReview extends PendingReview {
  readonly kind: StoredKind;
}

/** Pending changes that are meant by a decision. */
export interface Selected {
  readonly kind: ReviewKind;
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

/** Where on disk the file of a review is. */
export function placeOf({ kind, review }: PendingReview): string {
  return kind === 'written' ? review.path : proposedAt(review);
}

/** By path; of one path what is written comes first. */
export function byPath<Review extends PendingReview>(
  pending: readonly Review[],
): readonly Review[] {
  return pending.toSorted(
    ({ review: a }, { review: b }) => Number(a.path > b.path) - Number(a.path < b.path),
  );
}

export function totalsOf(pending: readonly PendingReview[]): PendingTotals {
  const total = { hunks: 0, added: 0, removed: 0 };
  for (const { review } of pending) {
    const { hunks, renamed, added, removed } = pendingIn(review);
    // A renaming alone is one change.
    total.hunks += Math.max(hunks.length, renamed ? 1 : 0);
    total.added += added;
    total.removed += removed;
  }
  return { ...total, files: new Set(pending.map(({ review }) => review.path)).size };
}

/**
 * True for a hunk that is attributed to a command. Such an attribution goes by time alone: the user, git or another
 * program may have made the change while the command ran.
 */
export function isByCommand({ by }: Hunk): boolean {
  return by.some((one) => one.by === 'command');
}

/**
 * Leaves changes by commands out of a bulk decision. A file that has other changes, too, is decided in part and keeps
 * its name.
 * @param find gives the written changes of a file
 * @returns what the decision is about, and the number of changes that are left
 */
export function withoutCommandChanges(
  selected: readonly Selected[],
  find: (path: string) => FileReview | undefined,
): { readonly selected: readonly Selected[]; readonly left: number } {
  let left = 0;
  const others = selected.flatMap((one): readonly Selected[] => {
    const review = one.kind === 'written' ? find(one.path) : undefined;
    const hunks = review === undefined ? [] : chosenHunks(review, one.choice ?? 'all');
    const byCommands = hunks.filter(isByCommand);
    if (byCommands.length === 0) return [one];
    left += byCommands.length;
    const choice = hunks.flatMap((hunk) =>
      isByCommand(hunk) || hunk.kind === 'unsaved' ? [] : hunk.id,
    );
    return choice.length === 0 ? [] : [{ ...one, choice }];
  });
  return { selected: others, left };
}

/** Joins the selected hunks of each file, to be decided at once: a decision may give its other hunks new names. */
export function joinSelected(selected: readonly Selected[]): readonly Selected[] {
  const files = new Map<string, Selected>();
  for (const one of selected) {
    const key = `${one.kind} ${one.path}`;
    const { choice = 'all' } = files.get(key) ?? { choice: [] };
    const { choice: more = 'all' } = one;
    const isAll = choice === 'all' || more === 'all';
    files.set(key, { ...one, choice: isAll ? 'all' : [...new Set([...choice, ...more])] });
  }
  return [...files.values()];
}

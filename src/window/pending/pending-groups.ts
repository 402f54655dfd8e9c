import type { FileReview } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../core/review/model/hunks.ts';
import { type Selected, isByCommand } from '../../core/review/model/selected-changes.ts';

/** Groups of the list: changes by the agent's tools, and those by its commands. */
export type GroupId = 'edits' | 'commands';

/** The pending changes of a file, or the part of them in one group. */
export interface PendingEntry {
  readonly group: GroupId;
  readonly path: string;
  readonly review: FileReview;
  /** Absent: all of the file, its renaming included. */
  readonly hunks?: readonly Hunk[];
}

/** A file is in two groups when both the agent's tools and its commands changed it. */
export function entriesOf(pending: readonly FileReview[]): readonly PendingEntry[] {
  return pending.flatMap((review): readonly PendingEntry[] => {
    const { path } = review;
    const hunks = hunksOf(review);
    const made = hunks.filter(isByCommand);
    if (made.length === 0) return [{ group: 'edits', path, review }];
    if (made.length === hunks.length) return [{ group: 'commands', path, review }];
    const others = hunks.filter((hunk) => !isByCommand(hunk));
    return [
      { group: 'edits', path, review, hunks: others },
      { group: 'commands', path, review, hunks: made },
    ];
  });
}

/** The selection of an entry, for a decision. */
export function selectedBy({ path, hunks }: PendingEntry): Selected {
  return hunks === undefined ? { path } : { path, choice: hunks.map(({ id }) => id) };
}

import type { FileReview } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../core/review/model/hunks.ts';
import { isByCommand } from '../../core/review/model/review-kinds.ts';
import type { PendingReview, ReviewKind, Selected } from '../../core/review/service/reviews.ts';

/**
 * Groups of the list: edits that calls wait for, those that the agent's tools wrote or proposed, those of its commands.
 */
export type GroupId = 'asked' | 'written' | 'proposed' | 'commands';

/** The pending changes of a file, or the part of them in one group. */
export interface PendingEntry {
  readonly group: GroupId;
  readonly kind: ReviewKind;
  readonly path: string;
  readonly review: FileReview;
  /** Absent: all of the file, its renaming included. */
  readonly hunks?: readonly Hunk[];
}

/** A file is in two groups when both the agent's tools and its commands changed it. */
export function entriesOf(pending: readonly PendingReview[]): readonly PendingEntry[] {
  return pending.flatMap(({ kind, review }): readonly PendingEntry[] => {
    const { path } = review;
    if (kind !== 'written') return [{ group: kind, kind, path, review }];
    const hunks = hunksOf(review);
    const made = hunks.filter(isByCommand);
    if (made.length === 0) return [{ group: 'written', kind, path, review }];
    if (made.length === hunks.length) return [{ group: 'commands', kind, path, review }];
    const others = hunks.filter((hunk) => !isByCommand(hunk));
    return [
      { group: 'written', kind, path, review, hunks: others },
      { group: 'commands', kind, path, review, hunks: made },
    ];
  });
}

/** The selection of an entry, for a decision. */
export function selectedBy({ kind, path, hunks }: PendingEntry): Selected {
  return hunks === undefined ? { kind, path } : { kind, path, choice: hunks.map(({ id }) => id) };
}

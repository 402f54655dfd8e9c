import { type FileReview, linesOf } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf, type PendingChange } from '../../core/review/model/hunks.ts';

/** The text with pending changes, or the one without them, which a diff shows on its left. */
export type Side = 'baseline' | 'document';

/** Where a person is. Lines are 0-based. */
export interface Spot {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
}

/** The line that shows a change: the first one of it; for lines that were taken away, the one after them. */
export function lineOf({ review, hunk }: PendingChange, side: Side): number {
  if (hunk === undefined || hunk.kind !== 'change') return 0;
  const lines = linesOf(side === 'document' ? review.document : review.baseline).length;
  const from = side === 'document' ? hunk.documentFrom : hunk.baselineFrom;
  return Math.max(0, Math.min(from, lines - 1));
}

/**
 * The changes that are meant by lines, `to` included: by a selection all that it touches, by a cursor the
 * one that it is in, or the lines taken away right before or right after its line.
 */
export function changesAt(
  review: FileReview,
  side: Side,
  from: number,
  to: number,
): readonly Hunk[] {
  const hunks = hunksOf(review);
  const rangeOf = (hunk: Hunk): readonly [number, number] =>
    side === 'document'
      ? [hunk.documentFrom, hunk.documentTo]
      : [hunk.baselineFrom, hunk.baselineTo];
  const inside = hunks.filter((hunk) => {
    // A change of all of a file is meant wherever the person is in it.
    if (hunk.kind !== 'change') return true;
    const [first, end] = rangeOf(hunk);
    return first <= to && end > from;
  });
  const gaps = hunks.filter((hunk) => {
    const [first, end] = rangeOf(hunk);
    return hunk.kind === 'change' && first === end && first >= from && first - 1 <= to;
  });
  if (from < to) return hunks.filter((hunk) => inside.includes(hunk) || gaps.includes(hunk));
  if (inside.length > 0) return inside;
  const shownHere = gaps.filter((hunk) => lineOf({ review, hunk }, side) === from);
  return shownHere.length > 0 ? shownHere.slice(0, 1) : gaps.slice(0, 1);
}

/** Where a step led: the change, and that it is the `number`th of `total`. */
export interface Step {
  readonly change: PendingChange;
  /** 1 for the first. */
  readonly number: number;
  readonly total: number;
}

/**
 * The change after or before a spot, in whatever file; after the last comes the first.
 * @param spot `undefined`: somewhere without a place among the files
 * @returns `undefined` when nothing is pending
 */
export function stepFrom(
  changes: readonly PendingChange[],
  spot: Spot | undefined,
  direction: 'next' | 'previous',
): Step | undefined {
  const total = changes.length;
  if (total === 0) return undefined;
  const index = direction === 'next' ? nextIndex(changes, spot) : previousIndex(changes, spot);
  const change = changes[(index + total) % total];
  return change && { change, number: changes.indexOf(change) + 1, total };
}

function nextIndex(changes: readonly PendingChange[], spot: Spot | undefined): number {
  if (spot === undefined) return 0;
  const found = changes.findIndex((change) => compare(change, spot, spot.line) > 0);
  return found === -1 ? changes.length : found;
}

function previousIndex(changes: readonly PendingChange[], spot: Spot | undefined): number {
  if (spot === undefined) return -1;
  // From the middle of a change it goes to the one before, not to the beginning of the same.
  const here = changes.find(
    ({ review, hunk }) =>
      review.path === spot.path &&
      hunk !== undefined &&
      changesAt(review, spot.side, spot.line, spot.line).includes(hunk),
  );
  const line = here === undefined ? spot.line : lineOf(here, spot.side);
  return changes.findLastIndex((change) => compare(change, spot, line) < 0);
}

/** Below 0: the change comes before the spot. */
function compare(change: PendingChange, { path, side }: Spot, line: number): number {
  const { path: other } = change.review;
  if (other !== path) return other < path ? -1 : 1;
  return lineOf(change, side) - line;
}

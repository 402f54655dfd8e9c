import type { Choice } from './decide.ts';
import { proposedAt } from './file-review.ts';
import type { FileReview } from './file-review.ts';
import { hunksOf, pendingIn } from './hunks.ts';
import type { Hunk } from './hunks.ts';

/**
 * Where pending changes are: `written` ones are in the file already, `proposed` ones reach it when they
 * are accepted (mode Ask). A file may have both: then the proposal is about the file as it is.
 */
export type ReviewKind = 'written' | 'proposed';

export const KINDS = ['written', 'proposed'] as const satisfies readonly ReviewKind[];

/** The pending changes of a file. */
export interface PendingReview {
  readonly kind: ReviewKind;
  readonly review: FileReview;
}

/** Pending changes that are meant by a decision. */
export interface Selected {
  readonly kind: ReviewKind;
  readonly path: string;
  /** Default: all of the file, its renaming included. */
  readonly choice?: Choice;
}

/** What one request of the person made, and nobody has decided about. */
export interface PendingRequest {
  readonly sessionId: string;
  readonly messageId: string;
  /** Milliseconds since the epoch; of the oldest change. */
  readonly at: number;
  readonly hunks: readonly PendingHunk[];
}

export interface PendingHunk {
  readonly kind: ReviewKind;
  readonly path: string;
  readonly hunk: Hunk;
  readonly looked: boolean;
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
export function byPath(pending: readonly PendingReview[]): readonly PendingReview[] {
  return pending.toSorted((a, b) =>
    a.review.path === b.review.path ? 0 : a.review.path < b.review.path ? -1 : 1,
  );
}

export function totalsOf(pending: readonly PendingReview[]): PendingTotals {
  const total = { files: 0, hunks: 0, added: 0, removed: 0 };
  for (const { review } of pending) {
    const { hunks, renamed, added, removed } = pendingIn(review);
    // A renaming alone is one change.
    total.hunks += Math.max(hunks.length, renamed ? 1 : 0);
    total.added += added;
    total.removed += removed;
  }
  return { ...total, files: new Set(pending.map(({ review }) => review.path)).size };
}

/** Hunks by the requests that made them, oldest first; one that several made is under the last. */
export function requestsOf(pending: readonly PendingReview[]): readonly PendingRequest[] {
  const groups = new Map<
    string,
    { sessionId: string; messageId: string; at: number; hunks: PendingHunk[] }
  >();
  for (const { kind, review } of pending) {
    const looked = new Set(review.looked);
    for (const hunk of hunksOf(review)) {
      const { sessionId = '', messageId = '', at = 0 } = hunk.by.at(-1) ?? {};
      const key = `${sessionId} ${messageId}`;
      const group = groups.get(key) ?? { sessionId, messageId, at, hunks: [] };
      group.at = Math.min(group.at, at);
      group.hunks.push({ kind, path: review.path, hunk, looked: looked.has(hunk.id) });
      groups.set(key, group);
    }
  }
  return [...groups.values()].toSorted((a, b) => a.at - b.at);
}

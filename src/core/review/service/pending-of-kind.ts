import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import { editsLeft, mergedProposal } from '../model/merged-proposal.ts';
import { restoredProposal } from '../model/proposals.ts';
import { byPath, placeOf, STORED_KINDS } from '../model/review-kinds.ts';
import type { ReviewKind, StoredReview } from '../model/review-kinds.ts';
import { PROPOSED_KEYS, ReviewStore, WRITTEN_KEYS } from '../storage/review-store.ts';
import type { StashedReviews } from '../storage/stashed-reviews.ts';
import type { DecisionRecovery } from './decisions/decision-recovery.ts';
import { PendingChanges } from './pending-changes.ts';
import type { PendingChangesParts } from './pending-changes-parts.ts';
import { renamedBack } from './renamed-back.ts';
import type { ReviewDisk } from './review-disk.ts';

export type PendingByKind = Readonly<Record<ReviewKind, PendingChanges>>;

interface Parts {
  readonly values: SharedValues;
  readonly writer: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly disk: ReviewDisk;
  readonly recovery: DecisionRecovery;
  readonly parked: StashedReviews;
}

/** Pending changes that are in the files. */
export function writtenChanges(parts: Parts): PendingChanges {
  const { values, writer, parked } = parts;
  return new PendingChanges({
    ...common(parts, 'written'),
    store: new ReviewStore(values, WRITTEN_KEYS, writer),
    changedOutside: (before, after) => parked.changed(before, after),
  });
}

/** Pending changes that are on no disk before they are accepted. */
export function proposedChanges(parts: Parts): PendingChanges {
  const { values, writer } = parts;
  const shared = common(parts, 'proposed');
  return new PendingChanges({
    ...shared,
    store: new ReviewStore(values, PROPOSED_KEYS, writer),
    restore: restoredProposal,
    merge: mergedProposal,
    rest: async (known, isTaken) => editsLeft(known, isTaken, shared.read),
  });
}

/** Pending changes for which calls wait: they end with this window at the latest. */
export function askedChanges(parts: Parts, store: PendingChangesParts['store']): PendingChanges {
  return new PendingChanges({ ...common(parts, 'asked'), store, merge: mergedProposal });
}

/** Files with something pending, by path; of one path the written changes come first. */
export function listPending(changes: PendingByKind): readonly StoredReview[] {
  return byPath(
    STORED_KINDS.flatMap((kind) => changes[kind].files.map((review) => ({ kind, review }))),
  );
}

function common(
  { clock, log, disk, recovery }: Parts,
  kind: ReviewKind,
): Omit<PendingChangesParts, 'store'> {
  return {
    clock,
    log,
    read: async (review: FileReview): Promise<Content> =>
      (await disk.now(placeOf({ kind, review }))).content,
    recover: async (review, isTaken) =>
      (await recovery.recovered(kind, review)) ??
      (isTaken ? undefined : renamedBack(disk, kind, review)),
  };
}

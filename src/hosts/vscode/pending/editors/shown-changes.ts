import type { Uri } from 'vscode';
import { proposedAt } from '../../../../core/review/model/file-review.ts';
import type { PendingReview, Reviews } from '../../../../core/review/service/reviews.ts';
import type { Side } from '../../../../window/pending/change-order.ts';
import type { PendingUris } from '../pending-uris.ts';

/** The pending changes of a file that a text shows, and which of their two texts it is. */
export interface ShownChanges extends PendingReview {
  readonly side: Side;
}

/**
 * Pending changes in the text at an address. In a file on disk these are written ones, and those proposed for it, for
 * which the file is the text before.
 */
export function changesShownIn(
  uri: Uri,
  { reviews, uris }: { reviews: Pick<Reviews, 'find' | 'decidable'>; uris: PendingUris },
): readonly ShownChanges[] {
  const place = uris.read(uri);
  if (place?.side !== 'document') return [];
  const review = reviews.find(place.kind, place.path);
  const own = review === undefined ? [] : [{ kind: place.kind, review, side: place.side }];
  if (place.kind !== 'written') return own;
  const proposals = reviews.decidable.flatMap((one): readonly ShownChanges[] =>
    one.kind !== 'written' && proposedAt(one.review) === place.path
      ? [{ ...one, side: 'baseline' }]
      : [],
  );
  return [...own, ...proposals];
}

import type { CommandGroups } from '../../../core/review/commands/command-groups.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { ChangeFeed } from '../../../window/pending/change-feed.ts';
import type { PendingUris } from './pending-uris.ts';

/** Parts of everything that shows or follows pending changes. */
export interface PendingParts {
  readonly reviews: Reviews;
  /** Changes during commands; absent: nothing is known of that. */
  readonly groups: CommandGroups | undefined;
  readonly uris: PendingUris;
  /** Changes of reviews, many at once. */
  readonly feed: ChangeFeed;
  readonly onError: (error: unknown) => void;
}

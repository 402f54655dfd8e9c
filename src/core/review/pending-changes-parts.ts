import type { Clock, Log } from '../ports.ts';
import type { KeptFile } from '../ports/kept-contents.ts';
import type { Content, FileReview, Mark } from './file-review.ts';
import type { MadeOf } from './made-of.ts';
import type { Restored } from './restored.ts';
import type { ReviewStore } from './review-store.ts';

/** What an edit is beside its lines. */
export interface MoreOfEdit {
  /** What was kept of the file before, where more than its lines counts. */
  readonly kept?: KeptFile | undefined;
  /** What a proposal is made of, where that is another thing than the file. */
  readonly made?: MadeOf | undefined;
  /** Who else made lines of the text after it. */
  readonly marks?: readonly Mark[] | undefined;
}

export interface PendingChangesParts {
  readonly store: ReviewStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The file behind a review as it is now. */
  readonly read: (review: FileReview) => Promise<Content>;
  /** What becomes of a stored review, given the file as it is now. Default: of one whose changes are in the file. */
  readonly restore?: (review: FileReview, now: Content) => Restored;
  /** What was edited here and not stored yet goes into what another window stored. */
  readonly merge?: (base: FileReview, own: FileReview, stored: FileReview) => FileReview;
  /** A stored review whose file is not where it was, or was being decided about; `undefined`: nothing is known of that. */
  readonly recover?: (review: FileReview) => Promise<FileReview | undefined>;
  /** Hears what something else made of a file while nobody looked. */
  readonly changedOutside?: (before: FileReview, after: FileReview) => void;
}

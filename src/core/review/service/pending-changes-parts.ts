import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import type { ReviewStore } from '../storage/review-store.ts';

/** A review before a change that is done when it is stored, and after it. */
export interface Change {
  readonly before: FileReview;
  readonly after: FileReview;
}

export interface PendingChangesParts {
  readonly store: Pick<ReviewStore, keyof ReviewStore>;
  readonly clock: Clock;
  readonly log: Log;
  /** The file behind a review as it is now. */
  readonly read: (review: FileReview) => Promise<Content>;
  /**
   * A stored review whose file is not where it was, or was being decided about; `undefined`: nothing is known of that.
   * @param isTaken something else is pending at the name that the file had: it is not there again
   */
  readonly recover?: (review: FileReview, isTaken: boolean) => Promise<FileReview | undefined>;
  /** Hears what something else made of a file while nobody looked. */
  readonly changedOutside?: (before: FileReview, after: FileReview) => void;
}

export function changedElsewhere(path: string): BelayError {
  const message = told`The pending changes of ${path} were decided or changed in another window in this very moment. Look at them and decide again.`;
  return fault('busy', message);
}

/** A file takes its old name back, where something of another one is pending by now. */
export function takenBy(path: string, to: string): BelayError {
  const message = told`${path} cannot become ${to}: changes of another file are pending there. Nothing was done; decide about those first.`;
  return fault('invalid', message);
}

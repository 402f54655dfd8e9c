import { type Content, type FileReview, remembered, sameContent } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { type Restored, restored } from '../model/restored.ts';
import type { PendingChangesParts } from './pending-changes-parts.ts';
import type { ReviewMap } from './review-map.ts';
import type { SharedReviews } from './shared-reviews.ts';

/** Changes that were pending before this window, or before their file was gone. */
export class EarlierReviews {
  readonly #parts: PendingChangesParts;
  readonly #reviews: ReviewMap;
  readonly #stored: SharedReviews;

  constructor(parts: PendingChangesParts, reviews: ReviewMap, stored: SharedReviews) {
    this.#parts = parts;
    this.#reviews = reviews;
    this.#stored = stored;
  }

  /** Reviews whose file is gone or is another one: the person decides what becomes of them. */
  get orphaned(): readonly Restored[] {
    return [...this.#reviews.orphaned.values()];
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    const { store, log, recover } = this.#parts;
    const { reviews, unreadable } = await store.load();
    for (const path of unreadable)
      log.warn('Pending changes of a file are in the form of another version.', { path });
    for (const review of reviews) {
      try {
        const isTaken = reviews.some(({ path }) => path === review.renamedFrom);
        const recovered = await recover?.(review, isTaken);
        if (recovered === undefined) await this.#takeUp(review);
        else await this.#putUnder(review.path, recovered);
      } catch (thrown) {
        log.error(`Pending changes of ${review.path} could not be taken up.`, thrown);
        this.#reviews.orphaned.set(review.path, { kind: 'unrecognizable', review });
      }
    }
  }

  /** Makes the changes of a file pending again; resolves when that is stored. */
  async putBack(review: FileReview): Promise<void> {
    await this.#putUnder(review.path, review);
  }

  /** A file whose pending changes are offered is there again, and what it was: they are pending as before. */
  isAgain(path: string, content: Content): void {
    const offer = this.#reviews.orphaned.get(path);
    const known = this.#reviews.files.get(path);
    if (offer === undefined || (known !== undefined && !isSettled(known))) return;
    if (!sameContent(offer.review.document, content)) return;
    this.#reviews.orphaned.delete(path);
    this.#reviews.set(path, remembered({ ...offer.review, fileMissing: false }));
  }

  /** The person does not want what is offered. */
  async forget(path: string): Promise<void> {
    this.#reviews.orphaned.delete(path);
    await this.#stored.save(path);
    this.#reviews.tell(path);
  }

  async #takeUp(review: FileReview): Promise<void> {
    const { read, store } = this.#parts;
    const result = restored(review, await read(review));
    if (result.kind === 'gone' || result.kind === 'unrecognizable') {
      this.#reviews.orphaned.set(review.path, result);
      return;
    }
    if (result.kind === 'merged') this.#parts.changedOutside?.(review, result.review);
    this.#reviews.set(review.path, result.review);
    this.#stored.known.set(review.path, review);
    if (store.isForeign(review.path)) this.#reviews.foreign.set(review.path, review);
    this.#stored.settleLater(review, result.review);
  }

  async #putUnder(path: string, review: FileReview): Promise<void> {
    this.#reviews.set(review.path, review);
    await this.#stored.saveDone(review.path);
    if (path !== review.path) await this.#stored.saveDone(path);
  }
}

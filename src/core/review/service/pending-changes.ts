import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { type Content, type FileReview, remembered, sameContent } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { type PendingChangesParts, changedElsewhere, takenBy } from './pending-changes-parts.ts';
import { EarlierReviews } from './earlier-reviews.ts';
import { ReviewMap } from './review-map.ts';
import { SAVE_AFTER } from './later-saves.ts';
import { SharedReviews } from './shared-reviews.ts';
import { isBusy } from '../storage/review-store.ts';

/** Times that an agent's edit is made anew because another window was faster. */
const ATTEMPTS = 5;

/** All files with pending changes, by path. What is here is on disk a moment later. */
export class PendingChanges implements Disposable {
  /** Changes that were pending before, and what became of them. */
  readonly earlier: EarlierReviews;
  /** The stored reviews, by this window and by others. */
  readonly shared: SharedReviews;
  readonly #reviews = new ReviewMap();

  constructor(parts: PendingChangesParts) {
    this.shared = new SharedReviews(parts, this.#reviews);
    this.earlier = new EarlierReviews(parts, this.#reviews, this.shared);
  }

  /** Files with something pending. */
  get files(): readonly FileReview[] {
    return this.all.filter((review) => !isSettled(review));
  }

  /** All reviews, settled ones included. */
  get all(): readonly FileReview[] {
    return [...this.#reviews.files.values()];
  }

  get(path: string): FileReview | undefined {
    return this.#reviews.files.get(path);
  }

  /**
   * Makes a review, or makes it another one, and stores it; anew where another window was faster. Of an edit of
   * the agent, the text before and after it are stored when this resolves: only then may the file change, so that no
   * crash leaves a change without its way back. When it fails nothing is pending that was not before.
   */
  async change(
    path: string,
    make: (review: FileReview | undefined) => FileReview,
  ): Promise<FileReview> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const next = await this.#changeOnce(path, make);
        if (path !== next.path) await this.shared.saveDone(path);
        return next;
      } catch (thrown) {
        if (!isBusy(thrown) || attempt === ATTEMPTS) throw thrown;
      }
    }
  }

  /**
   * A change that nobody waits for: the person typed. No review: nothing happens.
   * @param atOnce it is stored now, as the person's yes is, and not when they stop typing
   */
  update(path: string, change: (review: FileReview) => FileReview, atOnce = false): void {
    const review = this.#reviews.files.get(path);
    if (review === undefined) return;
    const next = change(review);
    if (next === review) return;
    this.#reviews.foreign.delete(path);
    this.#reviews.set(path, next);
    // A new name, and what is pending again, are known at once, whatever happens in the next moment.
    if (path !== next.path)
      this.shared.later.follow(
        this.shared.saveDone(next.path).then(() => this.shared.saveDone(path)),
      );
    else if (atOnce || (isSettled(review) && !isSettled(next)))
      this.shared.later.follow(this.shared.saveDone(path));
    else this.shared.later.soon(path, SAVE_AFTER);
  }

  /**
   * The file changed. Where another window stored the review, it is that one's to store what becomes of
   * it: here it is what was stored, when the file is that by now.
   */
  fileIs(path: string, file: Content, change: (review: FileReview) => FileReview): void {
    const review = this.#reviews.files.get(path);
    const stored = this.#reviews.foreign.get(path);
    if (review === undefined || stored === undefined) return this.update(path, change);
    const isStored = sameContent(stored.document, file);
    const { memory } = remembered(review);
    const now = isStored ? remembered({ ...stored, memory }) : change(review);
    this.#reviews.set(path, now);
    this.shared.settleLater(stored, now);
  }

  /**
   * A decision: the review becomes another one, and what it says is done to the file; resolves when it
   * is stored.
   * @param carryOut Absent: there is nothing to do. When it fails, everything stays pending
   * @throws what `carryOut` fails with; BelayError `busy` when another window changed the review
   */
  async decide(path: string, next: FileReview, carryOut?: () => Promise<void>): Promise<void> {
    const [review, stored] = [this.#reviews.files.get(path), this.#reviews.foreign.get(path)];
    if (review === undefined) return;
    this.#refuseTaken(path, next.path);
    // A review stored under an earlier name of the file must not come back after what is decided now.
    // One that cannot be stored is tried again later, not here.
    const left = this.shared.later.due.filter((one) => !this.#reviews.files.has(one));
    for (const one of left) await this.shared.saveDone(one);
    try {
      if (carryOut === undefined)
        await this.#changeOnce(path, () => {
          if (this.#reviews.files.get(path) !== review) throw changedElsewhere(path);
          return next;
        });
      else {
        this.#reviews.foreign.delete(path);
        this.#reviews.set(path, next);
        await carryOut();
      }
    } catch (thrown) {
      // Else it is as it was already, or is what another window stored.
      if (carryOut === undefined) throw thrown;
      this.#reviews.replace(next.path, path, review);
      if (stored !== undefined) this.#reviews.foreign.set(path, stored);
      throw thrown;
    }
    if (carryOut !== undefined) await this.shared.saveDone(next.path);
    if (path !== next.path) await this.shared.saveDone(path);
  }

  onChange(listener: (path: string) => void): Disposable {
    return this.#reviews.onChange(listener);
  }

  /** Unsaved changes are lost: `flush` first. */
  dispose(): void {
    this.shared.later.dispose();
    this.#reviews.dispose();
  }

  /**
   * Makes a review another one, and stores it. When that fails it is as it was, with what the person typed since.
   * @throws what `make` fails with; BelayError `busy`: another window was faster
   */
  async #changeOnce(
    path: string,
    make: (review: FileReview | undefined) => FileReview,
  ): Promise<FileReview> {
    return this.shared.turns.take(path, async () => {
      const [before, foreign] = [this.#reviews.files.get(path), this.#reviews.foreign.get(path)];
      const after = make(before);
      this.#reviews.foreign.delete(path);
      this.#reviews.set(path, after);
      try {
        if (path === after.path) await this.shared.store(path, before && { before, after });
        else await this.shared.save(after.path);
      } catch (thrown) {
        // Where the person typed in the meantime, their text goes on with it.
        if (path !== after.path || this.#reviews.files.get(path) === after)
          this.#reviews.replace(after.path, path, before);
        if (foreign !== undefined && !isBusy(thrown)) this.#reviews.foreign.set(path, foreign);
        throw thrown;
      }
      return after;
    });
  }

  /** A file takes its old name back, where something of another one is pending by now. */
  #refuseTaken(path: string, to: string): void {
    const there = path === to ? undefined : this.#reviews.files.get(to);
    if (there !== undefined && !isSettled(there)) throw takenBy(path, to);
  }
}

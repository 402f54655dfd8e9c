import { type FileReview, sameContent } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { restored } from '../model/restored.ts';
import { isBusy } from '../storage/review-store.ts';
import { LaterSaves, SAVE_AFTER } from './later-saves.ts';
import { changedElsewhere } from './pending-changes-parts.ts';
import type { Change, PendingChangesParts } from './pending-changes-parts.ts';
import type { ReviewMap } from './review-map.ts';
import { Turns } from './turns.ts';

/**
 * Milliseconds after which it is stored what the file made of a review that another window stored: that
 * one stores first, and writes the file a moment later.
 */
const SETTLE_AFTER = 10_000;

/** Reviews in the store: what this window puts there, and what other windows have put there. */
export class SharedReviews {
  readonly later: LaterSaves;
  /** Of one file nothing is stored while what another window stored is taken over, nor the other way. */
  readonly turns = new Turns();
  /** As they are known to be stored: what is edited since is put into what another window stores. */
  readonly known = new Map<string, FileReview>();
  readonly #parts: PendingChangesParts;
  readonly #reviews: ReviewMap;

  constructor(parts: PendingChangesParts, reviews: ReviewMap) {
    this.#parts = parts;
    this.#reviews = reviews;
    this.later = new LaterSaves(parts.clock, (path) => this.saveDone(path));
  }

  /** True when nothing is pending in it because another window decided that. */
  isDecidedElsewhere(path: string): boolean {
    return this.#reviews.decidedElsewhere.has(path);
  }

  /**
   * Takes over what other windows stored. What is being saved finds that out by itself: it is waited for.
   * @param turns by path: a file is left alone while something else is done to it
   */
  async refresh(turns: Turns): Promise<void> {
    await Promise.all(this.later.running);
    for (const path of await this.#parts.store.changedElsewhere())
      await turns.take(path, () => this.follow(path));
  }

  /** Takes over what other windows stored of one file, in whose turn this is called. */
  async follow(path: string): Promise<void> {
    await this.turns.take(path, async () => {
      const stored = await this.#parts.store.newest(path);
      if (stored !== undefined) await this.#adopt(path, stored.review);
    });
  }

  async flush(): Promise<void> {
    const saves = this.later.due.map(async (path) =>
      this.save(path).catch((thrown: unknown) => {
        if (!isBusy(thrown)) throw thrown;
      }),
    );
    await Promise.all([...this.later.running, ...saves]);
  }

  /** Stores later a state that only the file has: it may still turn out otherwise. */
  settleLater(stored: FileReview, now: FileReview): void {
    const isSame =
      sameContent(stored.document, now.document) && sameContent(stored.baseline, now.baseline);
    if (isSettled(now) || !isSame) return this.later.soon(now.path, SETTLE_AFTER);
    this.later.cancel(now.path);
  }

  /** Stores a change that the file has already, as soon as the store can do it. */
  async saveDone(path: string): Promise<void> {
    try {
      await this.save(path);
    } catch (thrown) {
      if (isBusy(thrown)) return;
      this.#parts.log.error(`Pending changes of ${path} could not be stored yet.`, thrown);
      this.later.soon(path, SAVE_AFTER);
    }
  }

  /** @throws BelayError `busy` when another window has changed it; then what that one stored is taken over */
  save(path: string): Promise<void> {
    return this.turns.take(path, () => this.store(path));
  }

  /** In the turn of the file. */
  async store(path: string, change?: Change): Promise<void> {
    this.later.cancel(path);
    const { store } = this.#parts;
    const review = this.#reviews.files.get(path);
    const isGone = review === undefined || isSettled(review);
    if (await (isGone ? store.remove(path) : store.save(review))) {
      this.#reviews.foreign.delete(path);
      if (isGone) this.known.delete(path);
      else this.known.set(path, review);
      return;
    }
    const stored = await store.read(path);
    this.#takeBack(path, change);
    await this.#adopt(path, stored);
    throw changedElsewhere(path);
  }

  /** A change that was refused did not happen: what was edited before it, and since, counts. */
  #takeBack(path: string, change: Change | undefined): void {
    if (change !== undefined && this.#reviews.files.has(path))
      this.#reviews.files.set(path, change.before);
  }

  /** Takes over what another window stored, together with the file as it is here. */
  async #adopt(path: string, review: FileReview | undefined): Promise<void> {
    this.later.cancel(path);
    this.#reviews.foreign.delete(path);
    if (review === undefined) return this.#forget(path);
    const { read, log } = this.#parts;
    const now = await read(review).catch((thrown: unknown) => {
      log.warn(`${path} could not be read.`, { reason: String(thrown) });
      return undefined;
    });
    // Edited since, perhaps, also while the file was read.
    const own = this.#reviews.files.get(path);
    const kept = { ...review, memory: own?.memory ?? [] };
    const result = now === undefined ? undefined : restored(kept, now);
    // Not written by the other window yet: it will be in a moment.
    const next = result?.kind === 'current' || result?.kind === 'merged' ? result.review : kept;
    this.known.set(path, review);
    this.#reviews.set(path, next);
    this.#reviews.foreign.set(path, review);
    this.settleLater(review, next);
  }

  /** Another window decided all that is pending in the file. */
  #forget(path: string): void {
    for (const one of [this.known, this.#reviews.files, this.#reviews.orphaned]) one.delete(path);
    this.#reviews.decidedElsewhere.add(path);
    this.#reviews.tell(path);
  }
}

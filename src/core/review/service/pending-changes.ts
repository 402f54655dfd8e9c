import type { Disposable } from '../../../domain/disposable.ts';
import { withEdit } from '../model/agent-edits.ts';
import type { EditDetails } from '../model/agent-edits.ts';
import { restored } from '../model/restored.ts';
import type { Restored } from '../model/restored.ts';
import { LaterSaves } from './later-saves.ts';
import { asFound } from '../model/as-found.ts';
import { remembered, sameContent } from '../model/file-review.ts';
import type { Attribution, Content, FileReview } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { changedElsewhere, takenBy } from './pending-changes-parts.ts';
import type { Change, PendingChangesParts } from './pending-changes-parts.ts';
import { isBusy } from '../storage/review-store.ts';
import { Turns } from './turns.ts';

/** Milliseconds after a keystroke until the review is stored; agent's edits and decisions are stored at once. */
const SAVE_AFTER = 300;
/**
 * Milliseconds after which it is stored what the file made of a review that another window stored: that
 * one stores first, and writes the file a moment later.
 */
const SETTLE_AFTER = 10_000;
/** Files that are kept although nothing is pending any more, so that undo brings their hunks back. */
const MOST_SETTLED = 50;
/** Times that an agent's edit is made anew because another window was faster. */
const ATTEMPTS = 5;

/** All files with pending changes, by path. What is here is on disk a moment later. */
export class PendingChanges implements Disposable {
  readonly #parts: PendingChangesParts;
  readonly #files = new Map<string, FileReview>();
  readonly #offers = new Map<string, Restored>();
  /** As they are known to be stored: what is edited since is put into what another window stores. */
  readonly #stored = new Map<string, FileReview>();
  /** Of which another window decided the rest. */
  readonly #decidedElsewhere = new Set<string>();
  /** As they were stored by another window: what only happens to the files is not stored here. */
  readonly #foreign = new Map<string, FileReview>();
  readonly #later: LaterSaves;
  /** Of one file nothing is stored while what another window stored is taken over, nor the other way. */
  readonly #turns = new Turns();
  readonly #listeners = new Set<(path: string) => void>();

  constructor(parts: PendingChangesParts) {
    this.#parts = parts;
    this.#later = new LaterSaves(parts.clock, (path) => this.#saveDone(path));
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
        else await this.#recovered(review.path, recovered);
      } catch (thrown) {
        log.error(`Pending changes of ${review.path} could not be taken up.`, thrown);
        this.#offers.set(review.path, { kind: 'unrecognizable', review });
      }
    }
  }

  /** Files with something pending, by path. */
  get files(): readonly FileReview[] {
    return [...this.#files.values()]
      .filter((review) => !isSettled(review))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** All reviews, settled ones included. */
  get all(): readonly FileReview[] {
    return [...this.#files.values()];
  }

  /** Reviews whose file is gone or is another one: the person decides what becomes of them. */
  get orphanedReviews(): readonly Restored[] {
    return [...this.#offers.values()];
  }

  /** Whether nothing is pending in it because another window decided that. */
  isDecidedElsewhere(path: string): boolean {
    return this.#decidedElsewhere.has(path);
  }

  get(path: string): FileReview | undefined {
    return this.#files.get(path);
  }

  /**
   * The agent is about to write a file. Resolves when baseline and proposal are stored: only then may
   * the file change, so that no crash leaves a change without its way back. When it fails nothing is
   * pending that was not before.
   * @param before the file as it is, unsaved text of an editor included
   */
  async agentEdited(
    path: string,
    before: Content,
    after: Content,
    by: Attribution,
    more: EditDetails = {},
  ): Promise<FileReview> {
    return this.change(path, (review) => withEdit(asFound(review, path, before), after, by, more));
  }

  /** Makes a review, or makes it another one, and stores it; anew where another window was faster. As `agentEdited`. */
  async change(
    path: string,
    make: (review: FileReview | undefined) => FileReview,
  ): Promise<FileReview> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const next = await this.#changeOnce(path, make);
        if (path !== next.path) await this.#saveDone(path);
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
    const review = this.#files.get(path);
    if (review === undefined) return;
    const next = change(review);
    if (next === review) return;
    this.#foreign.delete(path);
    this.#set(path, next);
    // A new name, and what is pending again, are known at once, whatever happens in the next moment.
    if (path !== next.path)
      this.#later.follow(this.#saveDone(next.path).then(() => this.#saveDone(path)));
    else if (atOnce || (isSettled(review) && !isSettled(next)))
      this.#later.follow(this.#saveDone(path));
    else this.#later.soon(path, SAVE_AFTER);
  }

  /**
   * The file changed. Where another window stored the review, it is that one's to store what becomes of
   * it: here it is what was stored, when the file is that by now.
   */
  fileIs(path: string, change: (review: FileReview) => FileReview): void {
    const review = this.#files.get(path);
    const stored = this.#foreign.get(path);
    if (review === undefined || stored === undefined) return this.update(path, change);
    const isProposal = this.#parts.restore !== undefined;
    // What was to be deleted is gone: that is not proposed of another file of that name.
    const isDeleted = isSettled(review) && review.document.kind === 'absent';
    if (isProposal && isDeleted) return this.update(path, change);
    // A proposal is not in the file: it is what was stored, on the file as it is now.
    const next = change(isProposal ? { ...stored, memory: review.memory } : review);
    const isStored =
      !isProposal && !next.fileMissing && sameContent(next.document, stored.document);
    if (next.path !== path) return this.update(path, change);
    const now = isStored ? remembered({ ...stored, memory: next.memory }) : next;
    this.#set(path, now);
    this.#settleLater(stored, now);
  }

  /**
   * A decision: the review becomes another one, and what it says is done to the file; resolves when it
   * is stored.
   * @param carryOut Absent: there is nothing to do. When it fails, everything stays pending
   * @param of the review that the decision is about
   * @throws what `carryOut` fails with; BelayError `busy` when another window changed the review
   */
  async decide(
    path: string,
    made: FileReview,
    carryOut?: () => Promise<void>,
    of = this.#files.get(path),
  ): Promise<void> {
    const [review, stored] = [this.#files.get(path), this.#foreign.get(path)];
    if (review === undefined || of === undefined) return;
    // What was typed since the person decided stays pending.
    const isSame = review === of || sameContent(review.document, of.document);
    const next = isSame ? made : (this.#parts.merge?.(of, review, made) ?? made);
    this.#refuseTaken(path, next.path);
    // What is stored under a name that a file had must not come back after what is decided now.
    // One that cannot be stored is tried again later, not here.
    const left = this.#later.due.filter((one) => !this.#files.has(one));
    for (const one of left) await this.#saveDone(one);
    try {
      if (carryOut === undefined)
        await this.#changeOnce(path, () => {
          if (this.#files.get(path) !== review) throw changedElsewhere(path);
          return next;
        });
      else {
        this.#foreign.delete(path);
        this.#set(path, next);
        await carryOut();
      }
    } catch (thrown) {
      // What another window stored is here by now.
      if (carryOut === undefined || isBusy(thrown)) throw thrown;
      this.#replace(next.path, path, review);
      if (stored !== undefined) this.#foreign.set(path, stored);
      throw thrown;
    }
    if (carryOut !== undefined) await this.#saveDone(next.path);
    if (path !== next.path) await this.#saveDone(path);
  }

  /** Forgets a review of which nothing is pending: nothing brings it back. */
  drop(path: string): void {
    const review = this.#files.get(path);
    if (review !== undefined && isSettled(review)) this.#files.delete(path);
  }

  /** What was pending in a file is pending again; resolves when that is stored. */
  async putBack(review: FileReview): Promise<void> {
    await this.#recovered(review.path, review);
  }

  /** A file whose pending changes are offered is there again, and what it was: they are pending as before. */
  isAgain(path: string, content: Content): void {
    const offer = this.#offers.get(path);
    const known = this.#files.get(path);
    if (offer === undefined || (known !== undefined && !isSettled(known))) return;
    if (!sameContent(offer.review.document, content)) return;
    this.#offers.delete(path);
    this.#set(path, remembered({ ...offer.review, fileMissing: false }));
    this.#later.soon(path, SAVE_AFTER);
  }

  /** The person decided about an offer: its review goes on with the file as it is now, or is forgotten. */
  async resolveOffer(path: string, review: FileReview | undefined): Promise<void> {
    this.#offers.delete(path);
    if (review !== undefined) this.#set(path, review);
    await this.#save(path);
    this.#tell(path);
  }

  /**
   * Takes over what other windows stored. What is being saved finds that out by itself: it is waited for.
   * @param turns by path: a file is left alone while something else is done to it
   */
  async refresh(turns: Turns): Promise<void> {
    await Promise.all(this.#later.running);
    for (const path of await this.#parts.store.changedElsewhere())
      await turns.take(path, () => this.follow(path));
  }

  /** Takes over what other windows stored of one file, in whose turn this is called. */
  async follow(path: string): Promise<void> {
    await this.#turns.take(path, async () => {
      const stored = await this.#parts.store.newest(path);
      if (stored !== undefined) await this.#adopt(path, stored.review);
    });
  }

  async flush(): Promise<void> {
    const saves = this.#later.due.map(async (path) =>
      this.#save(path).catch((thrown: unknown) => {
        if (!isBusy(thrown)) throw thrown;
      }),
    );
    await Promise.all([...this.#later.running, ...saves]);
  }

  onChange(listener: (path: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** What is not stored yet is lost: `flush` first. */
  dispose(): void {
    this.#later.dispose();
    this.#listeners.clear();
  }

  async #takeUp(review: FileReview): Promise<void> {
    const { restore = restored, read, store } = this.#parts;
    const result = restore(review, await read(review));
    if (result.kind === 'gone' || result.kind === 'unrecognizable') {
      this.#offers.set(review.path, result);
      return;
    }
    if (result.kind === 'merged') this.#parts.changedOutside?.(review, result.review);
    this.#set(review.path, result.review);
    this.#stored.set(review.path, review);
    if (store.isForeign(review.path)) this.#foreign.set(review.path, review);
    this.#settleLater(review, result.review);
  }

  async #recovered(path: string, review: FileReview): Promise<void> {
    this.#set(review.path, review);
    await this.#saveDone(review.path);
    if (path !== review.path) await this.#saveDone(path);
  }

  /**
   * Makes a review another one, and stores it. When that fails it is as it was, with what the person typed since.
   * @throws what `make` fails with; BelayError `busy`: another window was faster
   */
  async #changeOnce(
    path: string,
    make: (review: FileReview | undefined) => FileReview,
  ): Promise<FileReview> {
    return this.#turns.take(path, async () => {
      const [before, foreign] = [this.#files.get(path), this.#foreign.get(path)];
      const after = make(before);
      this.#foreign.delete(path);
      this.#set(path, after);
      try {
        if (path === after.path) await this.#store(path, before && { before, after });
        else await this.#save(after.path);
      } catch (thrown) {
        // Where the person typed in the meantime, their text goes on with it.
        if (path !== after.path || this.#files.get(path) === after)
          this.#replace(after.path, path, before);
        if (foreign !== undefined && !isBusy(thrown)) this.#foreign.set(path, foreign);
        throw thrown;
      }
      return after;
    });
  }

  /** A file takes its old name back, where something of another one is pending by now. */
  #refuseTaken(path: string, to: string): void {
    const there = path === to ? undefined : this.#files.get(to);
    if (there !== undefined && !isSettled(there)) throw takenBy(path, to);
  }

  #replace(now: string, path: string, review: FileReview | undefined): void {
    if (now !== path || review === undefined) this.#files.delete(now);
    if (review !== undefined) this.#set(path, review);
    this.#tell(now);
  }

  #set(path: string, review: FileReview): void {
    if (path !== review.path) {
      this.#files.delete(path);
      this.#foreign.delete(path);
      this.#tell(path);
    }
    this.#decidedElsewhere.delete(review.path);
    // The last in the order is the one that changed last.
    this.#files.delete(review.path);
    this.#files.set(review.path, review);
    const settled = [...this.#files.values()].filter(isSettled);
    for (const { path: oldest } of settled.slice(0, -MOST_SETTLED)) this.#files.delete(oldest);
    this.#tell(review.path);
  }

  /** What only the file made of it may still turn out otherwise. */
  #settleLater(stored: FileReview, now: FileReview): void {
    if (isSettled(now) || !sameContent(stored.document, now.document))
      return this.#later.soon(now.path, SETTLE_AFTER);
    this.#later.cancel(now.path);
  }

  /** What is done to the file already is stored as soon as the store can do it. */
  async #saveDone(path: string): Promise<void> {
    try {
      await this.#save(path);
    } catch (thrown) {
      if (isBusy(thrown)) return;
      this.#parts.log.error(`Pending changes of ${path} could not be stored yet.`, thrown);
      this.#later.soon(path, SAVE_AFTER);
    }
  }

  /** @throws BelayError `busy` when another window has changed it; then what that one stored is taken over */
  #save(path: string): Promise<void> {
    return this.#turns.take(path, () => this.#store(path));
  }

  /** In the turn of the file. */
  async #store(path: string, change?: Change): Promise<void> {
    this.#later.cancel(path);
    const { store } = this.#parts;
    const review = this.#files.get(path);
    const isGone = review === undefined || isSettled(review);
    if (await (isGone ? store.remove(path) : store.save(review))) {
      this.#foreign.delete(path);
      if (isGone) this.#stored.delete(path);
      else this.#stored.set(path, review);
      return;
    }
    const stored = await store.read(path);
    this.#takeBack(path, change);
    await this.#adopt(path, stored);
    throw changedElsewhere(path);
  }

  /** A change that was refused did not happen: what was edited before it, and since, counts. */
  #takeBack(path: string, change: Change | undefined): void {
    const { merge } = this.#parts;
    const now = this.#files.get(path);
    if (change === undefined || now === undefined) return;
    const { before, after } = change;
    const isSame = now === after || merge === undefined;
    this.#files.set(path, isSame ? before : merge(after, now, before));
  }

  /** What another window stored counts, together with the file as it is here. */
  async #adopt(path: string, review: FileReview | undefined): Promise<void> {
    this.#later.cancel(path);
    this.#foreign.delete(path);
    if (review === undefined) return this.#forget(path);
    const { read, restore = restored, merge, log } = this.#parts;
    const now = await read(review).catch((thrown: unknown) => {
      log.warn(`${path} could not be read.`, { reason: String(thrown) });
      return undefined;
    });
    // Edited since, perhaps, also while the file was read.
    const own = this.#files.get(path);
    const base = this.#stored.get(path);
    const kept = { ...review, memory: own?.memory ?? [] };
    const result = now === undefined ? undefined : restore(kept, now);
    // Not written by the other window yet: it will be in a moment.
    const next = result?.kind === 'current' || result?.kind === 'merged' ? result.review : kept;
    this.#stored.set(path, review);
    const isEdited =
      base !== undefined && !sameContent(own?.document ?? base.document, base.document);
    if (isEdited && own !== undefined && merge !== undefined) {
      this.#set(path, merge(base, own, next));
      return this.#later.soon(path, 0);
    }
    this.#set(path, next);
    this.#foreign.set(path, review);
    this.#settleLater(review, next);
  }

  /** Another window decided all that it knew of: what was edited here since goes on alone. */
  async #forget(path: string): Promise<void> {
    const [files, stored] = [this.#files, this.#stored];
    const known = () => ({ base: stored.get(path), own: files.get(path) });
    const left = await this.#parts.rest?.(known, (place) => files.has(place));
    for (const one of [stored, files, this.#offers]) one.delete(path);
    this.#decidedElsewhere.add(path);
    this.#tell(path);
    if (left === undefined) return;
    this.#set(left.path, left);
    this.#later.soon(left.path, 0);
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}

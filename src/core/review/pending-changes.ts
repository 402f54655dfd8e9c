import type { Clock, Disposable, Log } from '../ports.ts';
import { agentEdited, agentRenamed } from './agent-edits.ts';
import { accept, reject } from './decide.ts';
import type { Choice, Rejection } from './decide.ts';
import { restored } from './disk.ts';
import type { Restored } from './disk.ts';
import { newReview } from './file-review.ts';
import type { Attribution, Content, FileReview } from './file-review.ts';
import { hunksOf, isSettled, pendingIn } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import type { ReviewStore } from './review-store.ts';
import { changedOutside } from './user-edits.ts';

/** Milliseconds after a keystroke until the review is stored; agent's edits and decisions are stored at once. */
const SAVE_AFTER = 300;
/** Files that are kept although nothing is pending any more, so that undo brings their hunks back. */
const MOST_SETTLED = 50;

export interface PendingChangesParts {
  readonly store: ReviewStore;
  readonly clock: Clock;
  readonly log: Log;
  /** What becomes of a stored review, given the file as it is now. Default: of one whose changes are in the file. */
  readonly restore?: (review: FileReview, now: Content) => Restored;
  /** Where its file is on disk. Default: at its path. */
  readonly placeOf?: (review: FileReview) => string;
}

/** All files with pending changes, by path. What is here is on disk a moment later. */
export class PendingChanges implements Disposable {
  readonly #parts: PendingChangesParts;
  readonly #files = new Map<string, FileReview>();
  readonly #offers = new Map<string, Restored>();
  readonly #unsaved = new Map<string, Disposable>();
  readonly #listeners = new Set<(path: string) => void>();

  constructor(parts: PendingChangesParts) {
    this.#parts = parts;
  }

  /**
   * Takes up what was pending when the last window closed or crashed.
   * @param read the file as it is now
   */
  async load(read: (path: string) => Promise<Content>): Promise<void> {
    const { reviews, unreadable } = await this.#parts.store.load();
    for (const path of unreadable)
      this.#parts.log.warn('Pending changes of a file are in the form of another version.', {
        path,
      });
    const { restore = restored, placeOf = ({ path }) => path } = this.#parts;
    for (const review of reviews) {
      try {
        const result = restore(review, await read(placeOf(review)));
        if (result.kind === 'gone' || result.kind === 'unrecognizable')
          this.#offers.set(review.path, result);
        else this.#set(review.path, result.review);
      } catch (thrown) {
        this.#parts.log.error(`Pending changes of ${review.path} could not be taken up.`, thrown);
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

  /** Whether there is such a review, a settled one perhaps. */
  some(is: (review: FileReview) => boolean): boolean {
    return [...this.#files.values()].some(is);
  }

  /** Of all reviews, settled ones included. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Reviews whose file is gone or is another one: the person decides what becomes of them. */
  get offers(): readonly Restored[] {
    return [...this.#offers.values()];
  }

  get(path: string): FileReview | undefined {
    return this.#files.get(path);
  }

  /** Lines, hunks and files that wait for a decision. */
  get totals(): {
    readonly files: number;
    readonly hunks: number;
    readonly added: number;
    readonly removed: number;
  } {
    const all = this.files.map(pendingIn);
    return {
      files: all.length,
      hunks: all.reduce((sum, { hunks }) => sum + hunks.length, 0),
      added: all.reduce((sum, { added }) => sum + added, 0),
      removed: all.reduce((sum, { removed }) => sum + removed, 0),
    };
  }

  /** Hunks by the requests that made them, oldest first; one that several made is under the last. */
  get requests(): readonly RequestChanges[] {
    const groups = new Map<string, RequestChanges>();
    for (const review of this.files) {
      for (const hunk of hunksOf(review)) {
        const { sessionId = '', messageId = '', at = 0 } = hunk.by.at(-1) ?? {};
        const key = `${sessionId} ${messageId}`;
        const group = groups.get(key) ?? { sessionId, messageId, at, hunks: [] };
        groups.set(key, {
          ...group,
          at: Math.min(group.at, at),
          hunks: [...group.hunks, { path: review.path, hunk }],
        });
      }
    }
    return [...groups.values()].toSorted((a, b) => a.at - b.at);
  }

  /**
   * The agent is about to write a file. Resolves when baseline and proposal are stored: only then may
   * the file change, so that no crash leaves a change without its way back.
   * @param before the file as it is, unsaved text of an editor included
   */
  async agentEdited(
    path: string,
    before: Content,
    after: Content,
    by: Attribution,
  ): Promise<FileReview> {
    const known = this.#files.get(path) ?? newReview(path, before);
    // What nobody told us of happened outside.
    const current = changedOutside(known, before);
    return this.#store(path, agentEdited(current, after, by));
  }

  /** The agent is about to rename a file; as `agentEdited`. */
  async agentRenamed(
    path: string,
    content: Content,
    to: string,
    by: Attribution,
  ): Promise<FileReview> {
    const known = this.#files.get(path) ?? newReview(path, content);
    return this.#store(path, agentRenamed(known, to, by));
  }

  /** A change that nobody waits for: the person typed, the file changed outside. No review: nothing happens. */
  update(path: string, change: (review: FileReview) => FileReview): void {
    const review = this.#files.get(path);
    if (review === undefined) return;
    const next = change(review);
    if (next === review) return;
    this.#set(path, next);
    this.#saveSoon(next.path);
    if (path !== next.path) this.#saveSoon(path);
  }

  /** Puts another state in the place of a review, where there is one; resolves when it is stored. */
  async put(path: string, review: FileReview): Promise<void> {
    if (this.#files.has(path)) await this.#store(path, review);
  }

  /** Accepts hunks; resolves when it is stored. */
  async accept(path: string, choice: Choice): Promise<void> {
    const review = this.#files.get(path);
    if (review !== undefined) await this.#store(path, accept(review, choice));
  }

  /**
   * Rejects hunks.
   * @param carryOut does to the file what the rejection says; when it fails, everything stays pending
   */
  async reject(
    path: string,
    choice: Choice,
    carryOut: (rejection: Rejection) => Promise<void>,
  ): Promise<void> {
    const review = this.#files.get(path);
    if (review === undefined) return;
    const rejection = reject(review, choice);
    this.#set(path, rejection.review);
    try {
      await carryOut(rejection);
    } catch (thrown) {
      if (this.#files.get(rejection.review.path) === rejection.review)
        this.#set(rejection.review.path, review);
      throw thrown;
    }
    const now = this.#files.get(rejection.review.path) ?? rejection.review;
    await this.#store(path, now);
  }

  /** The person decided about an offer: its review goes on with the file as it is now, or is forgotten. */
  async resolveOffer(path: string, review: FileReview | undefined): Promise<void> {
    this.#offers.delete(path);
    if (review === undefined) await this.#parts.store.remove(path);
    else await this.#store(path, review);
    this.#tell(path);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all([...this.#unsaved.keys()].map((path) => this.#save(path)));
  }

  onChange(listener: (path: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** What is not stored yet is lost: `flush` first. */
  dispose(): void {
    for (const timer of this.#unsaved.values()) timer.dispose();
    this.#unsaved.clear();
    this.#listeners.clear();
  }

  async #store(path: string, review: FileReview): Promise<FileReview> {
    this.#set(path, review);
    await this.#save(review.path);
    if (path !== review.path) await this.#save(path);
    return review;
  }

  #set(path: string, review: FileReview): void {
    if (path !== review.path) {
      this.#files.delete(path);
      this.#tell(path);
    }
    // The last in the order is the one that changed last.
    this.#files.delete(review.path);
    this.#files.set(review.path, review);
    const settled = [...this.#files.values()].filter(isSettled);
    for (const { path: oldest } of settled.slice(0, -MOST_SETTLED)) this.#files.delete(oldest);
    this.#tell(review.path);
  }

  #saveSoon(path: string): void {
    this.#unsaved.get(path)?.dispose();
    const timer = this.#parts.clock.after(SAVE_AFTER, () => {
      this.#save(path).catch((error: unknown) => {
        this.#parts.log.error(`Pending changes of ${path} could not be stored.`, error);
        this.#saveSoon(path);
      });
    });
    this.#unsaved.set(path, timer);
  }

  async #save(path: string): Promise<void> {
    this.#unsaved.get(path)?.dispose();
    this.#unsaved.delete(path);
    const review = this.#files.get(path);
    if (review === undefined || isSettled(review)) await this.#parts.store.remove(path);
    else await this.#parts.store.save(review);
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}

/** What one request of the person has changed and nobody has decided about. */
export interface RequestChanges {
  readonly sessionId: string;
  readonly messageId: string;
  /** Of the oldest change. */
  readonly at: number;
  readonly hunks: readonly { readonly path: string; readonly hunk: Hunk }[];
}

import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { FileReview } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import type { Restored } from '../model/restored.ts';

/** Files that are kept although nothing is pending any more, so that undo brings their hunks back. */
const MOST_SETTLED = 50;

/** Reviews as this window has them, by path. */
export class ReviewMap {
  readonly files = new Map<string, FileReview>();
  /** Of which another window decided the rest. */
  readonly decidedElsewhere = new Set<string>();
  /** As they were stored by another window: what only happens to the files is not stored here. */
  readonly foreign = new Map<string, FileReview>();
  /** Whose file is gone or is another one. */
  readonly orphaned = new Map<string, Restored>();
  readonly #listeners = new Set<(path: string) => void>();

  set(path: string, review: FileReview): void {
    if (path !== review.path) {
      this.files.delete(path);
      this.foreign.delete(path);
      this.tell(path);
    }
    this.decidedElsewhere.delete(review.path);
    // The last in the order is the one that changed last.
    this.files.delete(review.path);
    this.files.set(review.path, review);
    const settled = [...this.files.values()].filter(isSettled);
    for (const { path: oldest } of settled.slice(0, -MOST_SETTLED)) this.files.delete(oldest);
    this.tell(review.path);
  }

  /** Under one name there is what was under another one. */
  replace(now: string, path: string, review: FileReview | undefined): void {
    if (now !== path || review === undefined) this.files.delete(now);
    if (review !== undefined) this.set(path, review);
    this.tell(now);
  }

  tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }

  onChange(listener: (path: string) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

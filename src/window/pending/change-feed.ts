import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { ReviewKind, Reviews } from '../../core/review/service/reviews.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';

/** Milliseconds in which changes are collected: "keep all" and a keystroke make many at once. */
const COLLECTED = 30;

/** A file whose pending changes are others. */
export interface ChangedReview {
  readonly kind: ReviewKind;
  readonly path: string;
}

/** Tells of changed reviews, many at once, each file once. */
export class ChangeFeed implements Disposable {
  readonly #signal: Listeners<readonly ChangedReview[]>;
  readonly #listening: Disposable;
  readonly #changed = new Map<string, ChangedReview>();
  #timer: NodeJS.Timeout | undefined;

  constructor(reviews: Pick<Reviews, 'onChange'>, onError: (error: unknown) => void) {
    this.#signal = new Listeners(onError);
    this.#listening = reviews.onChange(({ kind, path }) => {
      this.#changed.set(`${kind} ${path}`, { kind, path });
      this.#timer ??= setTimeout(() => this.#tell(), COLLECTED);
    });
  }

  onChange(listener: (changed: readonly ChangedReview[]) => void): Disposable {
    return this.#signal.listen(listener);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#signal.dispose();
  }

  #tell(): void {
    this.#timer = undefined;
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    this.#signal.fire(changed);
  }
}

import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';

/** Milliseconds in which changes are collected: "keep all" and a keystroke make many at once. */
const COLLECT_MS = 30;

/** Reports the paths of files whose pending changes are others, many at once, each file once. */
export class ChangeFeed implements Disposable {
  readonly #signal: Listeners<readonly string[]>;
  readonly #listening: Disposable;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(reviews: Pick<Reviews, 'onChange'>, onError: (error: unknown) => void) {
    this.#signal = new Listeners(onError);
    this.#listening = reviews.onChange((path) => {
      this.#changed.add(path);
      this.#timer ??= setTimeout(() => this.#tell(), COLLECT_MS);
    });
  }

  onChange(listener: (changed: readonly string[]) => void): Disposable {
    return this.#signal.listen(listener);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#signal.dispose();
  }

  #tell(): void {
    this.#timer = undefined;
    const changed = [...this.#changed];
    this.#changed.clear();
    this.#signal.fire(changed);
  }
}

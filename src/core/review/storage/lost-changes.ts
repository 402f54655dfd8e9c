import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';

/** Files whose pending changes were dropped because another program changed them, until the user was told. */
export class LostChanges {
  readonly #paths = new Set<string>();
  readonly #signal = new Listeners();

  /** @param path absolute */
  add(path: string): void {
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#signal.fire();
  }

  /** Returns the paths that were added since the last call. */
  take(): readonly string[] {
    const paths = [...this.#paths];
    this.#paths.clear();
    return paths;
  }

  onChange(listener: () => void): Disposable {
    return this.#signal.listen(listener);
  }
}

import type { Disposable } from './disposable.ts';

/** Tells listeners that something changed. A listener that throws does not keep the others from hearing. */
export class Listeners<Value = void> implements Disposable {
  readonly #listeners = new Set<(value: Value) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError;
  }

  readonly listen = (listener: (value: Value) => void): Disposable => {
    // A wrapper of its own, so that one function may listen twice.
    const own = (value: Value): void => listener(value);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  fire(value: Value): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

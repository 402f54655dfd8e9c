import type { Disposable } from '../domain/lifetime/disposable.ts';
import type { Log } from '../core/ports/log.ts';
import type { StoreProblem } from './rpc.ts';

/** The store's faults, for the person; listeners hear of each at once. */
export class Problems {
  readonly told: StoreProblem[] = [];
  readonly #log: Log;
  readonly #listeners = new Set<(problem: StoreProblem) => void>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(problem: StoreProblem): void {
    this.#log.warn(problem.message, { kind: problem.kind });
    this.told.push(problem);
    for (const listener of this.#listeners) {
      try {
        listener(problem);
      } catch (error) {
        this.#log.error('A listener to the problems of the store failed.', error);
      }
    }
  }

  listen(listener: (problem: StoreProblem) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
}

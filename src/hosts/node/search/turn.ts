import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work without a pause. */
const LENGTH = 10;

/** Lets others have the event loop now and then during long work that hardly waits. */
export class Turn {
  #began = performance.now();

  /** To be awaited between small pieces of the work. */
  async pass(): Promise<void> {
    if (performance.now() - this.#began < LENGTH) return;
    await setImmediate();
    this.#began = performance.now();
  }
}

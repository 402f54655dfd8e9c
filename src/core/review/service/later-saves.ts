import type { Clock } from '../../ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Milliseconds after a keystroke until what it changed is stored; agent's edits and decisions are stored at once. */
export const SAVE_AFTER = 300;

/** Saves that no caller waits for: those that are due in a moment, and those under way. */
export class LaterSaves implements Disposable {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #save: (path: string) => Promise<void>;
  readonly #due = new Map<string, Disposable>();
  readonly #running = new Set<Promise<void>>();

  constructor(clock: Pick<Clock, 'after'>, save: (path: string) => Promise<void>) {
    this.#clock = clock;
    this.#save = save;
  }

  /** Files that are to be saved in a moment. */
  get due(): readonly string[] {
    return [...this.#due.keys()];
  }

  get running(): readonly Promise<void>[] {
    return [...this.#running];
  }

  /** @param milliseconds from now; what was due before is not any more */
  soon(path: string, milliseconds: number): void {
    this.cancel(path);
    const timer = this.#clock.after(milliseconds, () => this.follow(this.#save(path)));
    this.#due.set(path, timer);
  }

  cancel(path: string): void {
    this.#due.get(path)?.dispose();
    this.#due.delete(path);
  }

  follow(saving: Promise<void>): void {
    this.#running.add(saving);
    void saving.finally(() => this.#running.delete(saving));
  }

  dispose(): void {
    for (const path of this.due) this.cancel(path);
  }
}

import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { firstPaintOf } from '../protocol/first-paint.ts';
import type { Snapshot } from '../protocol/snapshot.ts';

/** Milliseconds of rest after which it is kept: not while a person types or an answer grows. */
const REST_MS = 1000;

/** Keeps what the panel will be painted with at the next start. Without changes there is no timer. */
export class FirstPaintKeeper {
  readonly #clock: Clock;
  readonly #snapshot: () => Snapshot;
  readonly #keep: (paint: Snapshot | undefined) => void;
  #timer: Disposable | undefined;
  #touched = 0;
  #kept = '';

  constructor(clock: Clock, snapshot: () => Snapshot, keep: (paint: Snapshot | undefined) => void) {
    this.#clock = clock;
    this.#snapshot = snapshot;
    this.#keep = keep;
  }

  /** Something that the panel shows may be another. */
  touch(): void {
    this.#touched = this.#clock.monotonic();
    this.#timer ??= this.#clock.after(REST_MS, () => this.#rested());
  }

  /** Keeps what is to be kept at once: there may be no later. */
  keep(): void {
    if (this.#timer === undefined) return;
    this.#timer.dispose();
    this.#timer = undefined;
    const snapshot = this.#snapshot();
    if (snapshot.session.loading) return;
    const paint = firstPaintOf(snapshot);
    const json = JSON.stringify(paint) ?? '';
    if (json === this.#kept) return;
    this.#kept = json;
    this.#keep(paint);
  }

  #rested(): void {
    const left = this.#touched + REST_MS - this.#clock.monotonic();
    if (left <= 0) this.keep();
    else this.#timer = this.#clock.after(left, () => this.#rested());
  }
}

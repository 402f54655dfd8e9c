import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { OpenPages } from '../requests/answering.ts';

/** Milliseconds: changes of prompts and resources within this time are told once, however many a server announces. */
const debounce = 300;

/** A server's tidings that are not about its tools: pages that are done with, lists that are others now. */
export class ServerNews {
  readonly pages = new OpenPages();
  readonly #clock: Clock;
  readonly #onListsChanged: () => void;
  #timer: Disposable | undefined;

  constructor(clock: Clock, onListsChanged: () => void) {
    this.#clock = clock;
    this.#onListsChanged = onListsChanged;
  }

  heard(method: string, params: unknown): void {
    if (method === 'notifications/elicitation/complete') this.pages.ended(params);
    if (!/\/(?:prompts|resources)\/list_changed$/u.test(method)) return;
    this.#timer ??= this.#clock.after(debounce, () => {
      this.#timer = undefined;
      this.#onListsChanged();
    });
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

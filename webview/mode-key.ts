import { signal, type Signal } from '@preact/signals';
import { type Mode, MODES } from '../src/domain/permissions/permission-mode.ts';

/** While a run is on a mode counts only when the key has rested this long, in milliseconds: who walks through all of them chooses none on the way. */
const REST = 600;

/** The key that changes the mode. */
export class ModeKey {
  /** Chosen by the key and not told to the host yet. */
  readonly wanted: Signal<Mode | null> = signal(null);
  readonly #choose: (mode: Mode) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(choose: (mode: Mode) => void) {
    this.#choose = choose;
  }

  /** One mode on; gives it. */
  next(present: Mode, busy: boolean): Mode {
    const from = MODES.indexOf(this.wanted.peek() ?? present);
    const mode = MODES[(from + 1) % MODES.length] ?? 'ask';
    clearTimeout(this.#timer);
    this.wanted.value = mode;
    if (busy) this.#timer = setTimeout(() => this.settle(), REST);
    else this.settle();
    return mode;
  }

  /** Makes the choice count now: before a message goes out. */
  settle(): void {
    clearTimeout(this.#timer);
    const mode = this.wanted.peek();
    if (mode === null) return;
    this.wanted.value = null;
    this.#choose(mode);
  }
}

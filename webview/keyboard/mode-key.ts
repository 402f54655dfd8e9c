import { signal, type Signal } from '@preact/signals';
import { type Mode, MODES } from '../../src/domain/permissions/permission-mode.ts';
import { modeFace } from '../modes.ts';
import type { PanelStore } from '../store.ts';

/** While a run is on a mode counts only when the key has rested this long, in milliseconds: who walks through all of them chooses none on the way. */
const REST = 600;

/** The key that changes the mode. */
export class ModeKey {
  /** Chosen by the key and not told to the host yet. */
  readonly wanted: Signal<Mode | null> = signal(null);
  readonly #session: Pick<PanelStore['session'], 'options' | 'run'>;
  readonly #announcement: Signal<string>;
  readonly #choose: (mode: Mode) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param announcement words for a screen reader */
  constructor(
    session: Pick<PanelStore['session'], 'options' | 'run'>,
    announcement: Signal<string>,
    choose: (mode: Mode) => void,
  ) {
    this.#session = session;
    this.#announcement = announcement;
    this.#choose = choose;
  }

  /** One mode on; a screen reader is told which. */
  next(): void {
    const { options, run } = this.#session;
    const from = MODES.indexOf(this.wanted.peek() ?? options.peek().mode);
    const mode = MODES[(from + 1) % MODES.length] ?? 'ask';
    clearTimeout(this.#timer);
    this.wanted.value = mode;
    if (run.peek().phase === 'idle') this.settle();
    else this.#timer = setTimeout(() => this.settle(), REST);
    const { label, description } = modeFace(mode);
    this.#announcement.value = `Mode: ${label}. ${description}`;
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

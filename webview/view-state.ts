import type { SavedView } from '../src/protocol/view.ts';

/** Typing and scrolling are saved when they pause this long, in milliseconds. */
const PAUSE = 300;

type Save = (sessionId: string | null, view: SavedView) => void;

/**
 * Draft and scroll position of the session on screen, on their way to the host. At most the last
 * 300 ms of typing are not saved, and those are when the panel is hidden or closed.
 */
export class ViewState {
  readonly #save: Save;
  #sessionId: string | null = null;
  #view: SavedView = { draft: '', scroll: null };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(save: Save) {
    this.#save = save;
  }

  /** Another session is on screen: what was left of the other one is saved. */
  begin(sessionId: string | null, view: SavedView): void {
    this.flush();
    this.#sessionId = sessionId;
    this.#view = view;
  }

  /** The new session has become a real one: its draft moves with it. */
  rename(sessionId: string | null): void {
    this.#sessionId = sessionId;
  }

  change(part: Partial<SavedView>): void {
    const next = { ...this.#view, ...part };
    if (JSON.stringify(next) === JSON.stringify(this.#view)) return;
    this.#view = next;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE);
  }

  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#save(this.#sessionId, this.#view);
  }
}

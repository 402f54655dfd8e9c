import type { SavedView } from '../protocol/view.ts';
import type { PanelMemory } from './services.ts';

/** How a place remembers: the view in the sidebar as the window does, a tab apart. */
export interface PlaceOptions {
  /** Stands for the new session of a tab, which has a draft of its own. */
  readonly newSession: string;
}

type Scroll = SavedView['scroll'];

/**
 * The memory of one place. Drafts are those of the session, wherever it is shown; where a session is scrolled to is
 * the place's own while the window lives.
 */
export class PlaceMemory implements PanelMemory {
  readonly #memory: PanelMemory;
  readonly #tab: PlaceOptions | undefined;
  readonly #saved: (sessionId: string, view: SavedView | undefined) => void;
  readonly #scrolls = new Map<string, Scroll>();

  /**
   * @param tab absent: the view in the sidebar
   * @param saved hears of each draft that is kept here
   */
  constructor(
    memory: PanelMemory,
    tab: PlaceOptions | undefined,
    saved: (sessionId: string, view: SavedView | undefined) => void,
  ) {
    this.#memory = memory;
    this.#tab = tab;
    this.#saved = saved;
  }

  /** The session of a tab is the tab's to know. */
  lastSession(): string | undefined {
    return this.#tab === undefined ? this.#memory.lastSession() : undefined;
  }

  setLastSession(sessionId: string | undefined): void {
    if (this.#tab === undefined) this.#memory.setLastSession(sessionId);
  }

  saved(sessionId: string): SavedView | undefined {
    const view = this.#memory.saved(this.#key(sessionId));
    const scroll = this.#scrolls.get(sessionId);
    if (scroll === undefined || (view === undefined && scroll === null)) return view;
    return { ...(view ?? { draft: '' }), scroll };
  }

  save(sessionId: string, view: SavedView | undefined): void {
    if (view === undefined) this.#scrolls.delete(sessionId);
    else this.#scrolls.set(sessionId, view.scroll);
    const before = this.#memory.saved(this.#key(sessionId));
    this.#memory.save(this.#key(sessionId), view);
    if (sessionId !== '' && textOf(before) !== textOf(view)) this.#saved(sessionId, view);
  }

  become(sessionId: string): void {
    const view = this.saved('');
    if (view !== undefined) this.save(sessionId, view);
    this.save('', undefined);
  }

  settled(): Promise<void> {
    return this.#memory.settled();
  }

  changesUnfolded(): boolean {
    return this.#memory.changesUnfolded();
  }

  unfoldChanges(unfolded: boolean): void {
    this.#memory.unfoldChanges(unfolded);
  }

  #key(sessionId: string): string {
    return sessionId === '' ? (this.#tab?.newSession ?? '') : sessionId;
  }
}

const textOf = (view: SavedView | undefined): string =>
  JSON.stringify([view?.draft ?? '', view?.mentions ?? []]);

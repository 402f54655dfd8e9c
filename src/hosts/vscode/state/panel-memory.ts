import type * as vscode from 'vscode';
import type { Log } from '../../../core/ports.ts';
import type { SavedView } from '../../../protocol/view.ts';
import type { PanelMemory } from '../panel/services.ts';

const LAST = 'belay.lastSession';
const VIEWS = 'belay.views';
const CHANGES = 'belay.changesUnfolded';

/** Sessions whose draft and place are kept; the ones touched longest ago go first. */
const LIMIT = 200;

/** What the panel remembers, in VS Code's workspace state: it survives reload and restart. */
export class StoredPanelMemory implements PanelMemory {
  readonly #state: vscode.Memento;
  readonly #log: Log;
  readonly #views: Map<string, SavedView>;

  constructor(state: vscode.Memento, log: Log) {
    this.#state = state;
    this.#log = log;
    this.#views = new Map(readViews(state.get(VIEWS)));
  }

  lastSession(): string | undefined {
    const id: unknown = this.#state.get(LAST);
    return typeof id === 'string' ? id : undefined;
  }

  setLastSession(sessionId: string | undefined): void {
    if (this.lastSession() !== sessionId) this.#update(LAST, sessionId);
  }

  saved(sessionId: string): SavedView | undefined {
    return this.#views.get(sessionId);
  }

  save(sessionId: string, view: SavedView | undefined): void {
    // Deleted first, so that the order of the map is the order of use.
    this.#views.delete(sessionId);
    if (view !== undefined) this.#views.set(sessionId, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= LIMIT) break;
      this.#views.delete(oldest);
    }
    this.#update(VIEWS, [...this.#views]);
  }

  changesUnfolded(): boolean {
    return this.#state.get(CHANGES) === true;
  }

  unfoldChanges(unfolded: boolean): void {
    this.#update(CHANGES, unfolded ? true : undefined);
  }

  #update(key: string, value: unknown): void {
    this.#state.update(key, value).then(undefined, (error: unknown) => {
      this.#log.error('VS Code could not keep what the panel remembers.', error);
    });
  }
}

function readViews(kept: unknown): [string, SavedView][] {
  if (!Array.isArray(kept)) return [];
  return kept.filter((entry: unknown): entry is [string, SavedView] => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
    const view: unknown = entry[1];
    return (
      typeof view === 'object' && view !== null && typeof (view as SavedView).draft === 'string'
    );
  });
}

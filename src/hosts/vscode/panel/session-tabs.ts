import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { SESSION_TAB } from '../../../manifest/context-key-names.ts';
import type { PanelHost } from '../../../panel/panel-host.ts';
import type { PlaceOptions } from '../../../panel/place-memory.ts';
import type { Place } from './place.ts';
import { SessionTab } from './session-tab.ts';

export interface SessionTabsParts {
  readonly extension: vscode.Uri;
  /** Makes the host's half of a tab. */
  readonly host: (place: PlaceOptions) => PanelHost;
}

/** The editor tabs with sessions: any number, and one at most for a session. */
export class SessionTabs implements Disposable {
  readonly #parts: SessionTabsParts;
  readonly #tabs = new Set<SessionTab>();
  readonly #changed = new Listeners();
  readonly #focused = new Listeners<Place>();
  /** Fires when a tab is shown, hidden, closed, or shows another session. */
  readonly onChanged = this.#changed.listen;
  /** Fires when a tab gets the focus. */
  readonly onFocused = this.#focused.listen;

  constructor(parts: SessionTabsParts) {
    this.#parts = parts;
  }

  all(): readonly SessionTab[] {
    return [...this.#tabs];
  }

  /** The tab that shows a session. */
  of(sessionId: string): SessionTab | undefined {
    return this.all().find(({ host }) => host.state.sessionId === sessionId);
  }

  /** Opens a tab with a session, or a new one; `beside`: in the next group. One that has a tab already is shown there. */
  async open(sessionId: string | null, beside: boolean): Promise<void> {
    const there = sessionId === null ? undefined : this.of(sessionId);
    if (there !== undefined) {
      await there.reveal('focus_input');
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      SESSION_TAB,
      l10n.t('New session'),
      beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    );
    const tab = this.#add(panel, this.#freeName());
    this.#focused.fire(tab);
    await tab.host.show(sessionId);
  }

  /** Takes a tab that a reload left; `state`: kept by its page. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { sessionId, place } = isJsonObject(state) ? state : {};
    const id = typeof sessionId === 'string' ? sessionId : null;
    if (id !== null) this.of(id)?.dispose();
    const isFree = typeof place === 'string' && NAME.test(place) && !this.#isTaken(place);
    const tab = this.#add(panel, isFree ? place : this.#freeName());
    if (panel.active) this.#focused.fire(tab);
    await tab.host.show(id);
  }

  /** The tabs stay: VS Code brings them back after a reload. */
  dispose(): void {
    for (const tab of this.#tabs) tab.release();
  }

  #add(panel: vscode.WebviewPanel, name: string): SessionTab {
    const tab: SessionTab = new SessionTab(panel, {
      host: this.#parts.host({ newSession: name }),
      name,
      extension: this.#parts.extension,
      changed: () => {
        if (panel.active) this.#focused.fire(tab);
        this.#changed.fire();
      },
      closed: () => {
        this.#tabs.delete(tab);
        this.#changed.fire();
      },
    });
    this.#tabs.add(tab);
    tab.host.line.onFocus(() => this.#focused.fire(tab));
    return tab;
  }

  /** The first name that no tab has: what was written into a new session whose tab was closed comes back. */
  #freeName(): string {
    for (let number = 1; ; number += 1) if (!this.#isTaken(`new/${number}`)) return `new/${number}`;
  }

  #isTaken(wanted: string): boolean {
    return this.all().some(({ name }) => name === wanted);
  }
}

const NAME = /^new\/[1-9]\d{0,3}$/u;

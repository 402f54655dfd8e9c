import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { PanelHost } from '../../../panel/panel-host.ts';
import type { PanelTransport } from '../../../panel/services.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { Place, Revealed } from './place.ts';
import type { Doors } from '../startup/doors.ts';

const VIEW = 'belay.panel';

/** The view of the panel as the rest of the host sees it: who looks at what, the badge, revealing it. */
export class PanelView implements Place, Disposable {
  readonly host: PanelHost;
  readonly #lifetime = new Lifetime();
  readonly #presence = this.#lifetime.add(new Listeners());
  #view: vscode.WebviewView | undefined;
  #badge: vscode.ViewBadge | undefined;

  constructor(panel: PanelHost, doors: Pick<Doors, 'openPanel'>) {
    this.host = panel;
    this.#lifetime.add(panel.onStateChange(() => this.#presence.fire()));
    doors.openPanel((view, page) => this.#take(view, page));
  }

  /** Joins the page of a view, wherever the person has moved it, to the panel. */
  #take(view: vscode.WebviewView, page: PanelTransport): void {
    const attached = this.host.line.attach(page);
    this.#view = view;
    view.badge = this.#badge;
    view.onDidChangeVisibility(() => this.#presence.fire());
    view.onDidDispose(() => {
      attached.dispose();
      if (this.#view === view) this.#view = undefined;
      this.#presence.fire();
    });
    this.#presence.fire();
  }

  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  onPresenceChanged(listener: () => void): Disposable {
    return this.#presence.listen(listener);
  }

  setBadge(count: number, tooltip: string): void {
    this.#badge = count === 0 ? undefined : { value: count, tooltip };
    if (this.#view !== undefined) this.#view.badge = this.#badge;
  }

  async reveal(then?: Revealed): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (then !== undefined) this.host.line.signal({ kind: then });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

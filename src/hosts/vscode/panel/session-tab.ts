import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { panelHtml, panelOptions } from '../../../panel/html.ts';
import type { PanelHost } from '../../../panel/panel-host.ts';
import type { SessionRow } from '../../../protocol/snapshot.ts';
import type { Place, Revealed } from './place.ts';
import { pageFiles } from './page-files.ts';
import { transportTo } from './page-transport.ts';

/** The mark of a session's state on its tab. */
const ICONS: Readonly<Record<SessionRow['state'], string>> = {
  idle: 'comment-discussion',
  running: 'loading~spin',
  background: 'server-process',
  turn: 'clock',
  approval: 'shield',
  question: 'question',
  unfinished: 'debug-disconnect',
  failed: 'error',
};

/** An editor tab with a session: the page of the view, with a title and an icon that follow the session. */
export class SessionTab implements Place, Disposable {
  readonly host: PanelHost;
  /** Stands for its new session, in what is remembered. */
  readonly name: string;
  readonly #tab: vscode.WebviewPanel;
  readonly #lifetime = new Lifetime();
  #icon = '';

  /** @param changed hears when the tab is shown, hidden, becomes the active one, or shows another session */
  constructor(
    tab: vscode.WebviewPanel,
    parts: {
      readonly host: PanelHost;
      readonly name: string;
      readonly extension: vscode.Uri;
      readonly changed: () => void;
      readonly closed: () => void;
    },
  ) {
    const { host, name, extension, changed, closed } = parts;
    this.#tab = tab;
    this.host = host;
    this.name = name;
    const { webview } = tab;
    const dist = vscode.Uri.joinPath(extension, 'dist');
    webview.options = panelOptions(dist);
    const attached = host.line.attach(
      transportTo(tab, (listener) => tab.onDidChangeViewState(() => listener())),
    );
    const label = (): void => this.#label();
    for (const part of [
      host,
      attached,
      tab.onDidChangeViewState(changed),
      host.onStateChange(changed),
      host.onStateChange(label),
      host.list.onChanged(label),
      tab.onDidDispose(() => {
        this.#lifetime.dispose();
        closed();
      }),
    ])
      this.#lifetime.add(part);
    this.#label();
    webview.html = panelHtml({ ...pageFiles(webview, dist, 'panel'), place: name });
  }

  get isVisible(): boolean {
    return this.#tab.visible;
  }

  /** It is the editor in front: another one would cover it. */
  get isActive(): boolean {
    return this.#tab.active;
  }

  reveal(then?: Revealed): Promise<void> {
    this.#tab.reveal();
    if (then !== undefined) this.host.line.signal({ kind: then });
    return Promise.resolve();
  }

  /** Leaves the tab to VS Code, which brings it back after a reload. */
  release(): void {
    this.#lifetime.dispose();
  }

  /** Closes the tab. */
  dispose(): void {
    this.#tab.dispose();
  }

  #label(): void {
    const { sessionId } = this.host.state;
    const row = this.host.list.rows().find(({ id }) => id === sessionId);
    const untitled = sessionId === undefined ? l10n.t('New session') : l10n.t('Untitled');
    const title = row?.title ?? this.host.session.view.title;
    const shown = title === '' ? untitled : title;
    // Each assignment is sent to VS Code.
    if (this.#tab.title !== shown) this.#tab.title = shown;
    const icon = ICONS[row?.state ?? 'idle'];
    if (icon === this.#icon) return;
    this.#icon = icon;
    this.#tab.iconPath = new vscode.ThemeIcon(icon);
  }
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { CenterHost } from '../../../panel/center/center-host.ts';
import { panelHtml, panelOptions } from '../../../panel/html.ts';
import type { CenterPlace } from '../../../protocol/center/messages.ts';
import { CENTER_TAB } from '../../../manifest/context-key-names.ts';
import { transportTo } from '../panel/page-transport.ts';
import { pageFiles } from '../panel/page-files.ts';

/** The Control Center's tab: one in a window, made when it is asked for, and anew after a reload. */
export class CenterTab implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #load: () => Promise<CenterHost>;
  #tab: vscode.WebviewPanel | undefined;

  /** @param load what answers the page, made once */
  constructor(extensionUri: vscode.Uri, load: () => Promise<CenterHost>) {
    this.#extensionUri = extensionUri;
    this.#load = load;
  }

  /** Shows the tab, and in it a place. */
  async open(place?: CenterPlace): Promise<void> {
    const host = await this.#load();
    if (this.#tab === undefined) {
      await closeAbandoned();
      this.#show(
        vscode.window.createWebviewPanel(
          CENTER_TAB,
          l10n.t('Belay: Control Center'),
          vscode.ViewColumn.Active,
        ),
        host,
      );
    } else this.#tab.reveal();
    if (place !== undefined) host.go(place);
  }

  /** Takes the tab that was open before the window was reloaded. */
  async restore(tab: vscode.WebviewPanel): Promise<void> {
    this.#show(tab, await this.#load());
  }

  dispose(): void {
    this.#tab?.dispose();
  }

  #show(tab: vscode.WebviewPanel, host: CenterHost): void {
    this.#tab?.dispose();
    this.#tab = tab;
    const { webview } = tab;
    const dist = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    tab.iconPath = new vscode.ThemeIcon('settings');
    webview.options = panelOptions(dist);
    const attached = host.attach(
      transportTo(tab, (listener) => tab.onDidChangeViewState(() => listener())),
    );
    tab.onDidDispose(() => {
      attached.dispose();
      if (this.#tab === tab) this.#tab = undefined;
    });
    webview.html = panelHtml(pageFiles(webview, dist, 'center'));
  }
}

/** Closes tabs of an extension host that died: VS Code gives them back only when they are looked at. */
async function closeAbandoned(): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(CENTER_TAB),
    );
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

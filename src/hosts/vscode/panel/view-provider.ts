import * as vscode from 'vscode';
import { panelHtml, panelOptions } from '../../../panel/html.ts';
import type { PanelHost } from '../../../panel/panel-host.ts';
import type { PanelTransport } from '../../../panel/services.ts';
import { pageFiles } from './page-files.ts';

/** Shows the panel in the view `belay.panel`, wherever the person has moved it. */
export class PanelViewProvider implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #panel: PanelHost;
  #view: vscode.WebviewView | undefined;
  #attached: vscode.Disposable[] = [];

  constructor(extensionUri: vscode.Uri, panel: PanelHost) {
    this.#extensionUri = extensionUri;
    this.#panel = panel;
  }

  /** The view while it exists, for its badge. */
  get view(): vscode.WebviewView | undefined {
    return this.#view;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#release();
    this.#view = view;
    const { webview } = view;
    const dist = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    webview.options = panelOptions(dist);
    const attached = this.#panel.line.attach(
      transportTo(view, (listener) => view.onDidChangeVisibility(listener)),
    );
    this.#attached = [
      attached,
      view.onDidDispose(() => {
        if (this.#view === view) this.#release();
      }),
    ];
    webview.html = panelHtml(pageFiles(webview, dist, 'panel'));
  }

  dispose(): void {
    this.#release();
  }

  #release(): void {
    for (const disposable of this.#attached) disposable.dispose();
    this.#attached = [];
    this.#view = undefined;
  }
}

/** The line to a page of VS Code. */
export function transportTo(
  shown: { readonly visible: boolean; readonly webview: vscode.Webview },
  onVisibility: PanelTransport['onVisibility'],
): PanelTransport {
  return {
    get visible() {
      return shown.visible;
    },
    post: (message) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview, not a window
      void shown.webview.postMessage(message);
    },
    onMessage: (listener) => shown.webview.onDidReceiveMessage(listener),
    onVisibility,
  };
}

import type * as vscode from 'vscode';
import type { PanelTransport } from '../../../panel/services.ts';

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

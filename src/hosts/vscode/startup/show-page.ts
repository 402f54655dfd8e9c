import * as vscode from 'vscode';
import { EarlyPage } from '../../../panel/early-page.ts';
import { panelHtml, panelOptions } from '../../../panel/html.ts';
import { pageFiles } from '../panel/page-files.ts';
import { transportTo } from '../panel/page-transport.ts';

/** Shows the panel's page in its view: it can be typed into before Belay is loaded. */
export function showPage(
  { extensionUri }: vscode.ExtensionContext,
  view: vscode.WebviewView,
): EarlyPage {
  const { webview } = view;
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  webview.options = panelOptions(dist);
  const line = transportTo(view, (listener) => view.onDidChangeVisibility(listener));
  const page = new EarlyPage(line);
  webview.html = panelHtml(pageFiles(webview, dist, 'panel'));
  return page;
}

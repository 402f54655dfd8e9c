import * as vscode from 'vscode';
import { EarlyPage } from '../../../panel/early-page.ts';
import { panelHtml, panelOptions } from '../../../panel/html.ts';
import { readFirstPaint } from '../../../protocol/first-paint.ts';
import type { Snapshot } from '../../../protocol/snapshot.ts';
import { pageFiles } from '../panel/page-files.ts';
import { transportTo } from '../panel/page-transport.ts';
import { FIRST_PAINT_KEY } from '../state/kept-paint.ts';

/** Shows the panel's page in its view, painted with what VS Code's own memory has of it. */
export function showPage(
  { extension, extensionUri, workspaceState }: vscode.ExtensionContext,
  view: vscode.WebviewView,
): EarlyPage {
  const { webview } = view;
  const { version } = extension.packageJSON as { readonly version: string };
  const paint = asTrusted(readFirstPaint(workspaceState.get(FIRST_PAINT_KEY), version));
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  webview.options = panelOptions(dist);
  const line = transportTo(view, (listener) => view.onDidChangeVisibility(listener));
  const page = new EarlyPage(line, paint);
  webview.html = panelHtml(pageFiles(webview, dist, 'panel'), paint);
  return page;
}

/** In a workspace that is not trusted everybody only reads, whatever was chosen when it was. */
function asTrusted(paint: Snapshot | undefined): Snapshot | undefined {
  if (paint === undefined || vscode.workspace.isTrusted) return paint;
  const { app, session } = paint;
  const options = { ...session.options, mode: 'read' } as const;
  return { ...paint, app: { ...app, trusted: false }, session: { ...session, options } };
}

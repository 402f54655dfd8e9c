import * as vscode from 'vscode';
import type { PanelPage } from '../../../panel/html.ts';
import { listSlashCommands } from '../../../manifest/slash-commands.ts';
import { pageLanguage } from '../startup/language.ts';

/** JSON: the chunks that the script of a page imports, by its name. The build says them. */
declare const BELAY_PAGE_CHUNKS: string | undefined;

const CHUNKS = JSON.parse(
  typeof BELAY_PAGE_CHUNKS === 'string' ? BELAY_PAGE_CHUNKS : '{}',
) as Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The script and style of a page in a webview, with what else its document needs.
 * @param dist the folder that esbuild writes to
 * @param name of the page, as its files are called
 */
export function pageFiles(webview: vscode.Webview, dist: vscode.Uri, name: string): PanelPage {
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  return {
    script: address(`${name}.js`),
    chunks: (CHUNKS[name] ?? []).map(address),
    style: address(`${name}.css`),
    source: webview.cspSource,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    ...pageLanguage(),
    ...(name === 'panel' ? { commands: JSON.stringify(listSlashCommands()) } : {}),
  };
}

import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { MAX_DIAGRAM_CHARS } from '../../../protocol/code-view.ts';
import { diagramHtml, panelOptions } from '../../../panel/html.ts';
import { pageFiles } from '../panel/page-files.ts';

/** Milliseconds that drawing may take. */
const DRAWN = 20_000;

/** Diagrams of answers, each in a tab of its own: a page that shares nothing with the panel. */
export class DiagramTabs implements Disposable {
  readonly #extension: vscode.Uri;
  readonly #tabs = new Map<string, vscode.WebviewPanel>();

  /** @param extension the extension's folder */
  constructor(extension: vscode.Uri) {
    this.#extension = extension;
  }

  dispose(): void {
    for (const tab of this.#tabs.values()) tab.dispose();
  }

  /** Draws a diagram in a tab, or shows the tab that has it. Rejects with `BelayError` when it takes too long. */
  async open(source: string): Promise<void> {
    if (source.length > MAX_DIAGRAM_CHARS)
      throw fault(
        'invalid',
        told`The diagram has ${source.length} characters; up to ${MAX_DIAGRAM_CHARS} are drawn. Its source is in the block.`,
      );
    const known = this.#tabs.get(source);
    if (known === undefined) await this.#draw(source);
    else known.reveal();
  }

  /** Reads the program that draws, which the package has compressed. */
  async loadCode(): Promise<string> {
    const packed = vscode.Uri.joinPath(this.#extension, 'dist', 'diagram.js.br').fsPath;
    return brotliDecompressSync(await readFile(packed)).toString();
  }

  async #draw(source: string): Promise<void> {
    const dist = vscode.Uri.joinPath(this.#extension, 'dist');
    const tab = vscode.window.createWebviewPanel(
      'belay.diagram',
      l10n.t('Diagram'),
      vscode.ViewColumn.Active,
      { ...panelOptions(dist), retainContextWhenHidden: true },
    );
    tab.iconPath = new vscode.ThemeIcon('type-hierarchy');
    this.#tabs.set(source, tab);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    tab.onDidDispose(() => {
      this.#tabs.delete(source);
      resolve(true);
    });
    const { webview } = tab;
    webview.onDidReceiveMessage((message: unknown) => {
      if (!isJsonObject(message)) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview, not a window
      if (message['kind'] === 'ready') void webview.postMessage({ source });
      else resolve(true);
    });
    webview.html = diagramHtml(pageFiles(webview, dist, 'diagram'), await this.loadCode());
    const timer = setTimeout(() => resolve(false), DRAWN);
    const isDrawn = await promise;
    clearTimeout(timer);
    if (isDrawn) return;
    tab.dispose();
    throw fault(
      'timeout',
      told`The diagram takes too long to be drawn. Its source is in the block.`,
    );
  }
}

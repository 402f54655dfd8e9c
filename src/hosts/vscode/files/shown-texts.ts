import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Texts kept; the oldest go. */
const MOST = 2000;

/** Texts for reading, as documents of one scheme. */
export class ShownTexts implements vscode.TextDocumentContentProvider, Disposable {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #registration: Disposable;

  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /**
   * @param path tells name and language
   * @param key keeps documents of one path apart
   */
  add(path: string, key: string, text: string): vscode.Uri {
    const uri = vscode.Uri.file(path).with({ scheme: this.#scheme, query: key });
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}

import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';
import { BASE_SCHEME } from '../../../manifest/context-key-names.ts';

/** Texts kept; the oldest go. */
const MOST = 200;

/** Texts to compare with, as read-only documents: the empty side of a new file, the file as it was. */
export class BaseDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(BASE_SCHEME, this);
  }

  /** `key` keeps documents of one path apart. */
  add(key: string, path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.file(path).with({ scheme: BASE_SCHEME, query: key });
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MOST && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  remove(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}

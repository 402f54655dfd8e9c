import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { textOf } from '../../../../core/review/model/file-review.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { PendingParts } from '../pending-parts.ts';

/** Files without their pending changes, as read-only documents that follow the decisions. */
export class BaselineDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #parts: PendingParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;

  constructor(parts: PendingParts) {
    this.#parts = parts;
    const { baselineScheme } = parts.uris;
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider(baselineScheme, this));
    this.#lifetime.add(parts.feed.onChange((changed) => this.#follow(changed)));
  }

  /** Where nothing is pending any more the file itself is all there is to compare with. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { reviews, uris } = this.#parts;
    const place = uris.read(uri);
    if (place === undefined) return '';
    const review = reviews.find(place.path);
    if (review !== undefined) return textOf(review.baseline) ?? '';
    return textOf((await reviews.files.disk.now(place.path)).content) ?? '';
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #follow(changed: readonly string[]): void {
    const { uris } = this.#parts;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    for (const one of changed) {
      const uri = uris.baselineOf(one);
      if (open.has(uri.toString())) this.#changed.fire(uri);
    }
  }
}

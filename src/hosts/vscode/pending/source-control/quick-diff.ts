import type * as vscode from 'vscode';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import type { PendingUris } from '../pending-uris.ts';

/** Files with pending changes are compared with what they would be without them. */
export class PendingQuickDiff implements vscode.QuickDiffProvider {
  readonly #reviews: Reviews;
  readonly #uris: PendingUris;

  constructor(reviews: Reviews, uris: PendingUris) {
    this.#reviews = reviews;
    this.#uris = uris;
  }

  provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
    const place = this.#uris.read(uri);
    if (place?.side !== 'document') return undefined;
    const review = this.#reviews.find(place.path);
    return review?.document.kind === 'text' ? this.#uris.baselineOf(place.path) : undefined;
  }
}

import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { countPending } from '../../../core/review/model/selected-changes.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { ChangeFeed } from '../../../window/pending/change-feed.ts';
import type { PendingTotals } from '../status-bar/indicators.ts';

/** How much waits to be reviewed. */
export class PendingCounts implements PendingTotals {
  readonly #reviews: Reviews;
  readonly #feed: ChangeFeed;

  constructor(reviews: Reviews, feed: ChangeFeed) {
    this.#reviews = reviews;
    this.#feed = feed;
  }

  get totals(): ReturnType<typeof countPending> {
    return countPending(this.#reviews.pending);
  }

  get paths(): readonly string[] {
    const paths = this.#reviews.pending.map(({ path }) => vscode.Uri.file(path).fsPath);
    return [...new Set(paths)];
  }

  onChange(listener: () => void): Disposable {
    return this.#feed.onChange(listener);
  }
}

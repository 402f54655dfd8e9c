import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { totalsOf } from '../../../core/review/model/review-kinds.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { ChangeFeed } from '../../../window/pending/change-feed.ts';
import type { PendingTotals } from '../status-bar/indicators.ts';

/** How much waits to be reviewed. */
export class PendingCounts implements PendingTotals {
  readonly leftOver: PendingTotals['leftOver'];
  readonly #reviews: Reviews;
  readonly #feed: ChangeFeed;

  constructor(reviews: Reviews, feed: ChangeFeed, leftOver: PendingTotals['leftOver']) {
    this.#reviews = reviews;
    this.#feed = feed;
    this.leftOver = leftOver;
  }

  get totals(): ReturnType<typeof totalsOf> {
    return totalsOf(this.#reviews.pending);
  }

  get decidable(): number {
    return totalsOf(this.#reviews.decidable).hunks;
  }

  get paths(): readonly string[] {
    const paths = this.#reviews.decidable.map(({ review }) => vscode.Uri.file(review.path).fsPath);
    return [...new Set(paths)];
  }

  onChange(listener: () => void): Disposable {
    return this.#feed.onChange(listener);
  }
}

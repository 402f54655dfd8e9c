import type { Disposable } from '../../domain/disposable.ts';
import { EMPTY_REVIEW, type ReviewView } from '../../protocol/review-view.ts';
import type { SeenFile } from './pending-list.ts';
import type { ReviewControl } from '../handlers/review-handlers.ts';
import { ReviewList, type ReviewListParts } from './review-list.ts';
import type { PanelServices } from '../services.ts';

/** The panel's part about pending changes; where nothing is reviewed it is empty for good. */
export class ReviewPart implements ReviewControl, Disposable {
  readonly #list: ReviewList | undefined;
  readonly #memory: PanelServices['memory'];

  constructor(
    { reviewing, transcripts, broker, clock, log, memory }: PanelServices,
    panel: Pick<ReviewListParts, 'shown' | 'emit'>,
  ) {
    this.#memory = memory;
    if (reviewing === undefined) return;
    const { reviews, roots } = reviewing;
    this.#list = new ReviewList(
      { reviews, transcripts, broker, clock, log, roots, ...panel },
      memory.changesUnfolded(),
    );
  }

  get view(): ReviewView {
    return this.#list?.view ?? EMPTY_REVIEW;
  }

  seen(version: number): readonly SeenFile[] | undefined {
    return this.#list?.seen(version);
  }

  refresh(): void {
    this.#list?.refresh();
  }

  unfold(unfolded: boolean): void {
    this.#memory.unfoldChanges(unfolded);
    this.#list?.unfold(unfolded);
  }

  dispose(): void {
    this.#list?.dispose();
  }
}

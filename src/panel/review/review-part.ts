import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { RequestHandlers } from '../../protocol/requests.ts';
import type { ReviewView } from '../../protocol/review-view.ts';
import { type ReviewRequest, changeOf, reviewHandlers } from '../handlers/review-handlers.ts';
import type { PanelReviewing, PanelServices } from '../services.ts';
import { type ReviewListParts, ReviewList } from './review-list.ts';

/** The panel's part about pending changes: the list, and what is asked about them. */
export class ReviewPart implements Disposable {
  readonly handlers: Pick<RequestHandlers, ReviewRequest>;
  readonly #list: ReviewList;
  readonly #reviewing: PanelReviewing;

  constructor(
    { records, broker, clock, log, memory }: PanelServices,
    reviewing: PanelReviewing,
    panel: Pick<ReviewListParts, 'shown' | 'emit'>,
  ) {
    const { reviews, roots, evidence } = reviewing;
    this.#reviewing = reviewing;
    this.#list = new ReviewList(
      { reviews, evidence, transcripts: records.transcripts, broker, clock, log, roots, ...panel },
      memory.changesUnfolded(),
    );
    this.handlers = reviewHandlers(reviewing, this.#list, memory);
  }

  get view(): ReviewView {
    return this.#list.view;
  }

  refresh(): void {
    this.#list.refresh();
  }

  /** Shows what is pending of a call in its diff; `false`: nothing is. */
  async openCall(callId: string): Promise<boolean> {
    const { reviews } = this.#reviewing;
    if (reviews.agent.asked.isBehind(callId))
      throw fault(
        'busy',
        told`Another edit of this file waits for your answer. This one is shown when that is decided.`,
      );
    const change = changeOf(reviews, callId);
    if (change !== undefined) await this.#reviewing.openDiff(change);
    return change !== undefined;
  }

  dispose(): void {
    this.#list.dispose();
  }
}

import type { ApprovalQuestion } from '../../core/ports/person/approval.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
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
  readonly #approvals: () => readonly ApprovalQuestion[];

  constructor(
    { records, broker, clock, log, memory, desk }: PanelServices,
    reviewing: PanelReviewing,
    panel: Pick<ReviewListParts, 'shown' | 'emit'>,
  ) {
    const { reviews, groups, roots, evidence } = reviewing;
    this.#reviewing = reviewing;
    this.#approvals = () => desk.approvals();
    this.#list = new ReviewList(
      {
        reviews,
        groups,
        evidence,
        transcripts: records.transcripts,
        broker,
        clock,
        log,
        roots,
        ...panel,
      },
      memory.changesUnfolded(),
    );
    this.handlers = reviewHandlers(reviewing, this.#list, memory);
  }

  get view(): ReviewView {
    return this.#list.view;
  }

  refresh(): void {
    this.#list.refreshAll();
  }

  /** Shows the edit of a call that waits for approval, or what is pending of it; `false`: neither. */
  async openCall(callId: string): Promise<boolean> {
    const { reviews, openApproval } = this.#reviewing;
    const question = this.#approvals().find(
      (one) => one.callId === callId && one.edits !== undefined,
    );
    if (question !== undefined) {
      await openApproval(question);
      return true;
    }
    const change = changeOf(reviews, callId);
    if (change !== undefined) await this.#reviewing.openDiff(change);
    return change !== undefined;
  }

  dispose(): void {
    this.#list.dispose();
  }
}

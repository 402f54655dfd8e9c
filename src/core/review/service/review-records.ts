import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { textContent } from '../model/file-review.ts';
import { asKnownToModel } from '../model/unreported-changes.ts';
import type { CallOutcomes } from '../storage/call-outcomes.ts';
import type { DecisionLog } from '../storage/decision-log.ts';
import type { LostChanges } from '../storage/lost-changes.ts';
import type { ReviewNotice, ReviewNotices } from '../storage/review-notices.ts';
import type { Stash } from '../storage/stash.ts';
import { sortByPath } from '../model/selected-changes.ts';
import type { PendingChanges } from './pending-changes.ts';

interface Parts {
  readonly changes: PendingChanges;
  readonly decided: DecisionLog;
  readonly outcomes: CallOutcomes;
  readonly lost: LostChanges;
  readonly news: ReviewNotices;
  readonly stash: Stash;
}

/** The records beside the pending changes: what was decided, told, kept aside, or lost. */
export class ReviewRecords {
  readonly outcomes: CallOutcomes;
  /** The last decisions, each of which can be taken back. */
  readonly decided: DecisionLog;
  /** Reports a file whose pending changes are no longer known, because another program changed it. */
  readonly lost: LostChanges;
  readonly #changes: PendingChanges;
  readonly #news: ReviewNotices;
  readonly #stash: Stash;

  constructor({ changes, decided, outcomes, lost, news, stash }: Parts) {
    this.outcomes = outcomes;
    this.decided = decided;
    this.lost = lost;
    this.#changes = changes;
    this.#news = news;
    this.#stash = stash;
  }

  /** Files as they were, that are needed while something is pending. */
  get kept(): readonly KeptFile[] {
    return [
      ...this.#changes.all.flatMap(({ kept }) => kept ?? []),
      ...this.#stash.kept,
      ...this.decided.kept,
    ];
  }

  /** Decisions and edits of the person that a session's model does not know yet: sentences, each told once. */
  takeNews(sessionId: string): readonly ReviewNotice[] {
    const edited = sortByPath(this.#changes.all).flatMap((review): readonly ReviewNotice[] => {
      const text = this.#news.edited(review, sessionId);
      if (text === undefined) return [];
      this.#news.tellsAll(review, review.document);
      this.#changes.update(review.path, asKnownToModel(review));
      return [{ text }];
    });
    return [...this.#news.take(sessionId), ...edited];
  }

  /** True when the news told a session how one text of a file became another, or will with its next turn. */
  hasTold(sessionId: string, path: string, from: string, to: string): boolean {
    return this.#news.hasTold(sessionId, path, textContent(from), textContent(to));
  }

  /** Reads what is stored by now, by whichever window. */
  async load(): Promise<void> {
    await Promise.all([this.#news.load(), this.decided.load()]);
  }
}

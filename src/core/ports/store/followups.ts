import type { FollowUp } from '../../../domain/session/followup.ts';

/** Prompts that come back into their sessions (A15), deleted with them. Every method may reject with `store`. */
export interface FollowUpRecords {
  /** Rejects with `invalid` when the session has as many as may wait, or is gone. */
  add(followUp: FollowUp): Promise<void>;
  /** All that wait, the next one first. */
  all(): Promise<readonly FollowUp[]>;
  /** `false`: it does not wait any more. */
  change(id: string, to: Pick<FollowUp, 'prompt' | 'dueAt'>): Promise<boolean>;
  /** `false`: it did not wait any more. */
  remove(id: string): Promise<boolean>;
  /**
   * Puts one that is due into the queue of its session, and ends it, in one transaction: of all windows one gets
   * `true`.
   */
  fire(id: string, now: number): Promise<boolean>;
}

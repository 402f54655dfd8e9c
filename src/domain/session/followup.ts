/** A prompt that comes back into its session at a time (A15). */
export interface FollowUp {
  readonly id: string;
  readonly sessionId: string;
  readonly prompt: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly createdAt: number;
}

/** Characters of a prompt. */
export const FOLLOWUP_LENGTH = 4000;
/** How far ahead, in milliseconds: a minute to thirty days. */
export const SOONEST = 60_000;
export const LATEST = 30 * 24 * 60 * 60_000;
/** Follow-ups that wait in one session. */
export const MOST_FOLLOWUPS = 10;
/** Follow-ups that may follow each other without a word of the person in between. */
export const MOST_IN_A_ROW = 10;

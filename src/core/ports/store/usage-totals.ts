import type { UsageRecord } from './recorder.ts';

/** Totals of the token log (A8). */
export interface UsageTotals {
  /** Sum since a moment (milliseconds since the epoch). */
  total(
    sinceMs: number,
  ): Promise<{ readonly tokens: number; readonly cost: number; readonly calls: number }>;
  records(sessionId: string): Promise<readonly UsageRecord[]>;
}

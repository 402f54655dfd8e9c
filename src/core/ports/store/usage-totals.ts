import type { UsageRecord } from './recorder.ts';

/** A sum over the token log. */
export interface UsageTotal {
  /** Cached ones included. */
  readonly tokens: number;
  /** Those of thinking, as far as providers tell them apart. */
  readonly reasoningTokens: number;
  /** US dollars, of calls whose price or bill is known. */
  readonly cost: number;
  /** US dollars that providers said they bill; a part of `cost`. */
  readonly billed: number;
  readonly calls: number;
  /** Calls whose tokens Belay counted itself. */
  readonly estimatedCalls: number;
}

/** Totals of the token log (A8). */
export interface UsageTotals {
  /** Sum since a moment (milliseconds since the epoch). */
  total(sinceMs: number): Promise<UsageTotal>;
  records(sessionId: string): Promise<readonly UsageRecord[]>;
}

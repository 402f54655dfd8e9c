import type { Failure } from '../../domain/failure.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** The month's budget as it stood when the run started (A2). */
export interface BudgetSnapshot {
  /** Tokens a month. No limit: leave the policy out. */
  readonly limit: number;
  /** Tokens used since the last reset, sub-agents included. */
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** A2: the budget starts again 30 days after the last reset. */
const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/** The present budget period; periods follow each other without gaps. */
export function budgetPeriod(
  firstReset: number,
  now: number,
): { readonly since: number; readonly resetsAt: number } {
  const periods = Math.max(0, Math.floor((now - firstReset) / PERIOD_MS));
  const since = firstReset + periods * PERIOD_MS;
  return { since, resetsAt: since + PERIOD_MS };
}

/** Stops before a request is sent when the month's tokens are used up (A2). */
export function budget(snapshot: BudgetSnapshot): Policy<null> {
  return {
    name: 'budget',
    init: () => null,
    before(view, state) {
      const used = snapshot.used + (view.spentTokens ?? 0);
      if (used < snapshot.limit) return goOn(state);
      const failure = budgetFailure(snapshot, used);
      return decide({ kind: 'stop', reason: 'budget', failure }, state);
    },
  };
}

/** The reason why nothing is sent when the month's tokens are used up. */
export function budgetFailure({ limit, resetsAt }: BudgetSnapshot, used: number): Failure {
  const day = new Date(resetsAt).toISOString().slice(0, 10);
  return {
    code: 'budget',
    message: `The monthly budget of ${limit.toLocaleString('en-US')} tokens is used up (${used.toLocaleString('en-US')} used). No request was sent and everything is kept. It starts again on ${day}; to go on now, raise belay.budget.monthlyTokens.`,
    details: { limit, used, resetsAt },
  };
}

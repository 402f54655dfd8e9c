import type { Amounts, Cap } from '../../domain/budget.ts';
import { type Failure, tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** The most that one child may use; a unit without a cap has no share. */
export interface BudgetShare {
  readonly cost?: number;
  readonly tokens?: number;
}

/** The share of the caps of a run and a session. @param percent of them */
export function shareOf(caps: readonly Cap[], percent: number): BudgetShare {
  const least = (unit: Cap['unit']): number =>
    Math.min(
      ...caps
        .filter((cap) => cap.unit === unit && (cap.period === 'run' || cap.period === 'session'))
        .map(({ limit }) => (limit * percent) / 100),
    );
  const [cost, tokens] = [least('cost'), least('tokens')];
  return {
    ...(Number.isFinite(cost) ? { cost } : {}),
    ...(Number.isFinite(tokens) ? { tokens } : {}),
  };
}

const CLOSING =
  'Your share of the budget is used up. Do not call tools any more. Write your report now: what you have found or done, and what is missing.';

const FAILURE: Failure = {
  code: 'budget',
  ...tells(
    told`It used its share of the budget (the setting belay.agents.budgetShare), which other work of the run needs, too.`,
  ),
};

/** Iteration of the closing turn; `null`: there was none. */
type State = { readonly asked: number | null };

/** Ends a child that has used its share: one last turn without tools reports. */
export function budgetShare(share: BudgetShare, used: () => Amounts): Policy<State> {
  const isUsed = (): boolean => {
    const { cost, tokens } = used();
    return cost >= (share.cost ?? Infinity) || tokens >= (share.tokens ?? Infinity);
  };
  return {
    name: 'budget-share',
    init: () => ({ asked: null }),
    before: ({ iteration }, state) =>
      iteration > 1 && isUsed()
        ? decide({ kind: 'inject', messages: [CLOSING], forceTool: 'none' }, { asked: iteration })
        : goOn(state),
    after: ({ iteration, turn }, state) =>
      state.asked === iteration && turn?.failure === undefined
        ? decide({ kind: 'stop', reason: 'budget', failure: FAILURE }, state)
        : goOn(state),
  };
}

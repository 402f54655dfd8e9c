import { failureOf } from '../../../domain/failure.ts';
import type { BudgetGate } from '../../budget/budget-gate.ts';
import type { WrapModelCall } from '../model-call.ts';

export interface BudgetOptions {
  readonly gate: Pick<BudgetGate, 'admit' | 'release'>;
  /** Unlike any other anywhere. */
  readonly nextKey: () => string;
}

/** Sends nothing before the caps allow it (A2): what a request may consume is reserved first. */
export function withBudget({ gate, nextKey }: BudgetOptions): WrapModelCall {
  return (next) =>
    async function* budgeted(request, context) {
      const key = nextKey();
      const failure = await gate.admit(key, request, context).catch(failureOf);
      if (failure !== undefined) {
        yield { type: 'failed', failure };
        return;
      }
      try {
        yield* next(request, { ...context, key });
      } finally {
        gate.release(key);
      }
    };
}

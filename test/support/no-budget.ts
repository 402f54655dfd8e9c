import type { BudgetOptions } from '../../src/core/model-call/wrappers/budget.ts';

/** No cap holds anything back. */
export const NO_BUDGET: BudgetOptions = {
  gate: { admit: async () => Promise.resolve(undefined), release: () => undefined },
  nextKey: () => 'key',
};

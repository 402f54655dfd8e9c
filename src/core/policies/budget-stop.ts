import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** Ends the run where its budget did not let a request out and the person does not go on (A2). */
export function budgetStop(): Policy<null> {
  return {
    name: 'budget',
    init: () => null,
    after({ turn }, state) {
      const failure = turn?.failure;
      if (failure?.code !== 'budget') return goOn(state);
      return decide({ kind: 'stop', reason: 'budget', failure }, state);
    },
  };
}

import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/**
 * Ends a run whose request the model declined (c11, c12): it would decline again and cost again.
 * The window leaves the refused exchange out of the next request.
 */
export function refusal(): Policy<null> {
  return {
    name: 'refusal',
    init: () => null,
    after(view, state) {
      if (view.turn?.finish !== 'refusal' || view.turn.failure !== undefined) return goOn(state);
      return decide(
        {
          kind: 'stop',
          reason: 'failure',
          failure: {
            code: 'refusal',
            ...tells(
              told`The model declined to answer this request. Nothing was lost. Rephrase the message, or choose another model and continue.`,
            ),
          },
        },
        state,
      );
    },
  };
}

import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/**
 * The provider paused a long turn (c10): the answer goes back as it is and the model goes on.
 * Bounded by the iteration cap.
 */
export function pauseTurn(): Policy<null> {
  return {
    name: 'pause-turn',
    init: () => null,
    after(view, state) {
      if (view.turn?.finish !== 'pause' || view.turn.failure !== undefined) return goOn(state);
      return decide({ kind: 'inject', messages: [] }, state);
    },
  };
}

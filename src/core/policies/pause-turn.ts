import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** The answer before was paused. */
type State = { readonly paused: boolean };

const GO_ON = 'Go on.';

/**
 * The provider paused a long turn (c10): the answer goes back as it is and the model goes on. A server
 * that takes no answer at the end of a request gets one word of ours after it. Bounded by the
 * iteration cap.
 */
export function pauseTurn(): Policy<State> {
  return {
    name: 'pause-turn',
    init: () => ({ paused: false }),
    after({ turn }, state) {
      if (turn?.failure !== undefined) {
        return state.paused && turn.failure.code === 'history_rejected'
          ? decide({ kind: 'inject', messages: [GO_ON] }, { paused: false })
          : goOn({ paused: false });
      }
      if (turn?.finish !== 'pause') return goOn({ paused: false });
      return decide({ kind: 'inject', messages: [] }, { paused: true });
    },
  };
}

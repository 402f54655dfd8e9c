import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** The answer before was paused. */
type State = { readonly paused: boolean };

const GO_ON = 'Go on.';

/** Lets a paused turn go on (c10), with a word of ours behind it where a server needs that. */
export function pauseTurn(): Policy<State> {
  return {
    name: 'pause-turn',
    init: () => ({ paused: false }),
    after({ turn }, state) {
      if (turn?.failure !== undefined) {
        return state.paused && turn.failure.code === 'history_rejected'
          ? decide({ kind: 'inject', messages: [GO_ON] }, { paused: false })
          : goOn(state);
      }
      if (turn?.finish !== 'pause') return goOn({ paused: false });
      return decide({ kind: 'inject', messages: [] }, { paused: true });
    },
  };
}

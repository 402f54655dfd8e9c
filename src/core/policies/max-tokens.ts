import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy, TurnOutcome } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** Answers in a row that were cut. */
type State = { readonly cuts: number };

/** Times an answer is continued before the person is asked; a fourth cut in a row is not progress. */
const MOST_CONTINUATIONS = 3;

function instruction(turn: TurnOutcome): string {
  if (turn.calls.length > 0) {
    return 'Your answer was cut at the output limit, so the last tool call did not arrive whole and was not run. Make it again in smaller steps: write a large file in several calls, each well below the limit.';
  }
  if (turn.hadText) {
    return 'Your answer was cut at the output limit. Continue exactly where it stops, without repeating anything.';
  }
  return 'The output limit was reached before you answered. Think less this time and give the answer, or the next tool call, at once.';
}

/** The output limit cut an answer (c02, c14, c15): go on, in smaller steps where a call was cut. */
export function maxTokens(): Policy<State> {
  return {
    name: 'max-tokens',
    init: () => ({ cuts: 0 }),
    after(view, state) {
      const { turn } = view;
      if (turn === undefined || turn.failure !== undefined) return goOn(state);
      if (turn.finish !== 'max_tokens') return goOn({ cuts: 0 });
      const cuts = state.cuts + 1;
      if (cuts <= MOST_CONTINUATIONS) {
        return decide({ kind: 'inject', messages: [instruction(turn)] }, { cuts });
      }
      return decide(
        {
          kind: 'stop',
          reason: 'failure',
          failure: {
            code: 'output_limit',
            ...tells(
              told`The model’s answer was cut at its output limit ${cuts} times in a row. All of it is kept. Choose Continue to let it go on, raise belay.model.maxOutputTokens, or ask for a shorter answer.`,
            ),
            details: { cuts },
          },
        },
        { cuts },
      );
    },
  };
}

import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy, TurnOutcome } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** Turns in a row that brought nothing. */
type State = { readonly empty: number };

const PLEASE_GO_ON =
  'Your last message was empty. Go on with the task: call the tool you need, or give your answer.';
const CALL_MISSING =
  'You announced a tool call, but it did not arrive. Make the call now, or give your answer.';

/** A turn that ended well by its own account but brought neither text nor a call (c07, c09). */
function isEmpty(turn: TurnOutcome): boolean {
  if (turn.calls.length > 0) return false;
  switch (turn.finish) {
    case 'tool_use':
      return true;
    case 'end_turn':
    case 'stop_sequence':
    case 'unknown':
      return !turn.hadText;
    case 'max_tokens':
    case 'pause':
    case 'refusal':
    case 'context_window':
    case 'canceled':
    case 'permission_denied':
    case 'failed':
      return false;
    default:
      return turn.finish satisfies never;
  }
}

/** Asks once to go on after an empty answer; a second one in a row stops the run. */
export function emptyTurn(): Policy<State> {
  return {
    name: 'empty-turn',
    init: () => ({ empty: 0 }),
    after(view, state) {
      const { turn } = view;
      if (turn === undefined || turn.failure !== undefined) return goOn(state);
      if (!isEmpty(turn)) return goOn({ empty: 0 });
      const empty = state.empty + 1;
      if (empty === 1) {
        const message = turn.finish === 'tool_use' ? CALL_MISSING : PLEASE_GO_ON;
        return decide({ kind: 'inject', messages: [message] }, { empty });
      }
      // The text of an answer whose announced call never comes is the answer.
      if (turn.hadText) return goOn({ empty });
      return decide(
        {
          kind: 'stop',
          reason: 'failure',
          failure: {
            code: 'empty_response',
            ...tells(
              told`The model answered twice with nothing. Everything up to here is kept. Choose Continue to ask again, or try another model.`,
            ),
          },
        },
        { empty },
      );
    },
  };
}

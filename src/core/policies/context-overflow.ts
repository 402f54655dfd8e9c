import { type FailureCode, tells, sentenceOf } from '../../domain/failure.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy, TurnOutcome, TurnView, Verdict } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** `overflows`: turns in a row that did not fit. `resume`: the cut answer is to be continued. */
type State = { readonly overflows: number; readonly resume: boolean };

/** The provider's limit is lower than ours when a request overflows: share of what did not fit to aim at. */
const TARGET_SHARE = 0.6;
const DEEP_KEEP = 4;
const MOST_OVERFLOWS = 2;

const CONTINUE =
  'Your last message was cut because the context window was full. Older messages are summarized now. Continue exactly where you stopped.';

const TOO_LONG: ReadonlySet<FailureCode> = new Set([
  'context_overflow',
  'output_limit',
  'request_too_large',
]);

function overflowed(turn: TurnOutcome): boolean {
  if (turn.failure !== undefined) return TOO_LONG.has(turn.failure.code);
  return turn.finish === 'context_window';
}

function stop(view: TurnView, turn: TurnOutcome): Verdict {
  // A limit in bytes, of a gateway perhaps: it says nothing about the window.
  if (turn.failure?.code === 'request_too_large')
    return { kind: 'stop', reason: 'failure', failure: turn.failure };
  return {
    kind: 'stop',
    reason: 'context_limit',
    failure: {
      code: 'context_limit',
      ...tells(
        turn.failure === undefined
          ? told`The provider says that the conversation is too long for the model, also after older messages were summarized.`
          : told`The provider says that the conversation is too long for the model, also after older messages were summarized (${sentenceOf(turn.failure)}).`,
        told`Everything is kept. Choose a model with a larger window, correct belay.model.contextLimit, or start a new session.`,
      ),
      details: { estimated: view.contextTokens, limit: view.contextLimit },
    },
  };
}

/** Compacts after a turn that did not fit (h11, h12, h13, c13), then deeply, then stops. */
export function contextOverflow(settings: Settings): Policy<State> {
  const enabled = settings('context.strategy') !== 'none';
  const keep = settings('advanced.keepMessages');
  return {
    name: 'context-overflow',
    init: () => ({ overflows: 0, resume: false }),
    before(_view, state) {
      return state.resume ? decide({ kind: 'inject', messages: [CONTINUE] }, state) : goOn(state);
    },
    after(view, state) {
      const { turn } = view;
      if (turn === undefined) return goOn(state);
      if (!overflowed(turn)) {
        // Another failure says nothing about the length.
        return goOn(turn.failure === undefined ? { overflows: 0, resume: false } : state);
      }
      if (!enabled) return goOn(state);
      const overflows = state.overflows + 1;
      const resume = turn.failure === undefined && turn.hadText && turn.calls.length === 0;
      if (overflows > MOST_OVERFLOWS) return decide(stop(view, turn), { overflows, resume: false });
      const deep = overflows > 1;
      const limit = turn.failure?.details?.['limit'];
      const reported = typeof limit === 'number' ? limit : Infinity;
      return decide(
        {
          kind: 'compact',
          keep: deep ? Math.min(DEEP_KEEP, keep) : keep,
          depth: deep ? 'deep' : 'normal',
          reason: 'context_overflow',
          targetTokens: Math.floor(
            TARGET_SHARE * Math.min(view.contextTokens, view.contextLimit, reported),
          ),
        },
        { overflows, resume },
      );
    },
  };
}

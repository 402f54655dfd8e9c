import type { RunEventBody } from '../../domain/event.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy, TurnView, Verdict } from '../policy.ts';
import { compactionPoint } from './compaction-point.ts';
import { GUARD_SHARE } from './context-guard.ts';
import { decide, goOn } from './decisions.ts';
import { climbed, LADDER_START, nextRung, type LadderState, type Rung } from './recovery-ladder.ts';

/** C4, R2: messages a deep prune keeps word for word. */
const DEEP_KEEP = 4;
const ASK = 'ask_human';
const QUESTION =
  'I’ve made progress but I’m losing context faster than I can recover. Keep going, change direction, or stop?';

type State = {
  readonly ladder: LadderState;
  /** A deep prune whose outcome was not told yet. */
  readonly pruned: { readonly tokens: number } | null;
};

function askPerson(view: TurnView): Verdict {
  if (view.tools.includes(ASK)) {
    return {
      kind: 'inject',
      messages: [
        `The conversation fills the context window faster than it can be summarized. Ask the person now with ${ASK}, in these words, with one sentence before it on what is done: “${QUESTION}”`,
      ],
      forceTool: ASK,
    };
  }
  return {
    kind: 'stop',
    reason: 'context_limit',
    failure: {
      code: 'context_limit',
      ...tells(
        told`Stopped because the conversation fills the context window faster than it can be summarized (${view.contextTokens} of ${view.contextLimit} tokens). Everything is kept. Continue with a narrower task, or start a new session.`,
      ),
      details: { estimated: view.contextTokens, limit: view.contextLimit },
    },
  };
}

/** The outcome of a deep prune, told when its effect is known. */
function outcomeOf(state: State, view: TurnView): readonly RunEventBody[] {
  if (state.pruned === null) return [];
  return [
    {
      type: 'agent.recovery.fired',
      stage: 'R2',
      tokensBefore: state.pruned.tokens,
      tokensAfter: view.contextTokens,
      messages: view.messageCount,
    },
  ];
}

function verdictOf(rung: Rung, view: TurnView, keep: number): Verdict {
  switch (rung) {
    case 'R1':
      return { kind: 'compact', keep, depth: 'normal', reason: 'threshold' };
    case 'R2':
      return {
        kind: 'compact',
        keep: Math.min(DEEP_KEEP, keep),
        depth: 'deep',
        reason: 'deep_prune',
      };
    case 'R3':
      return askPerson(view);
    default:
      return rung satisfies never;
  }
}

/**
 * Compacts when the context reaches its threshold (C3), and climbs the recovery ladder when it is
 * reached again soon (C4), four steps at most. Above the guard's share the context guard acts.
 */
export function autoCompaction(settings: Settings): Policy<State> {
  const keep = settings('advanced.keepMessages');
  return {
    name: 'auto-compaction',
    init: () => ({ ladder: LADDER_START, pruned: null }),
    before(view, state) {
      const events = outcomeOf(state, view);
      if (view.contextTokens < compactionPoint(settings, view.contextLimit))
        return goOn({ ...state, pruned: null }, events);
      const { last } = state.ladder;
      // Asked already, and the question is still to be put: before a second look at the same boundary.
      if (last?.rung === 'R3' && last.iteration === view.iteration)
        return decide(askPerson(view), state, events);
      const rung = nextRung(state.ladder, view.iteration);
      const noRoom = view.contextTokens > GUARD_SHARE * view.contextLimit;
      if (rung === undefined || (rung === 'R3' && noRoom))
        return goOn({ ...state, pruned: null }, events);
      const next: State = {
        ladder: climbed(state.ladder, rung, view.iteration),
        pruned: rung === 'R2' ? { tokens: view.contextTokens } : null,
      };
      const told: readonly RunEventBody[] =
        rung === 'R3'
          ? [
              ...events,
              {
                type: 'agent.recovery.fired',
                stage: 'R3',
                tokensBefore: view.contextTokens,
                tokensAfter: view.contextTokens,
                messages: view.messageCount,
              },
            ]
          : events;
      return decide(verdictOf(rung, view, keep), next, told);
    },
  };
}

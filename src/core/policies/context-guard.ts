import type { RunEventBody } from '../../domain/event.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy, TurnView, Verdict } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** D2: shares of the window at which the guard warns and acts, and what its compaction aims at. */
const WARN_SHARE = 0.8;
export const GUARD_SHARE = 0.95;
const TARGET_SHARE = 0.82;

/** The warning of this crossing was given. */
type State = { readonly warned: boolean };

function exceeded(view: TurnView, enabled: boolean): Verdict {
  const remedy = enabled
    ? told`Compacting it did not help.`
    : told`Automatic compaction is off (belay.context.strategy).`;
  return {
    kind: 'stop',
    reason: 'context_limit',
    failure: {
      code: 'context_limit',
      ...tells(
        told`The next request would be about ${view.contextTokens} tokens long, and the model takes ${view.contextLimit}.`,
        remedy,
        told`Everything is kept. Compact the session yourself, choose a model with a larger window, or start a new session.`,
      ),
      details: { estimated: view.contextTokens, limit: view.contextLimit },
    },
  };
}

/**
 * Checks each request (D2): warns at 80 %, compacts over 95 % down to 82 %, stops with
 * `context_limit` when that did not help. After the ordinary compaction in the list, whose verdict
 * wins at one boundary.
 */
export function contextGuard(settings: Settings): Policy<State> {
  const enabled = settings('context.strategy') !== 'none';
  const keep = settings('advanced.keepMessages');
  return {
    name: 'context-guard',
    init: () => ({ warned: false }),
    before(view, state) {
      const share = view.contextTokens / view.contextLimit;
      const warned = share >= WARN_SHARE;
      const events: readonly RunEventBody[] =
        warned && !state.warned
          ? [
              {
                type: 'context.warning',
                estimatedTokens: view.contextTokens,
                contextLimit: view.contextLimit,
              },
            ]
          : [];
      if (share <= GUARD_SHARE) return goOn({ warned }, events);
      const tried =
        view.lastCompaction?.reason === 'context_guard' &&
        view.lastCompaction.iteration === view.iteration;
      if (!enabled || tried) return decide(exceeded(view, enabled), { warned }, events);
      return decide(
        {
          kind: 'compact',
          keep,
          depth: 'deep',
          reason: 'context_guard',
          targetTokens: Math.floor(TARGET_SHARE * view.contextLimit),
        },
        { warned },
        events,
      );
    },
  };
}

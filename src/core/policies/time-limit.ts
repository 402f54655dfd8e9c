import type { Settings } from '../../domain/settings/settings.ts';
import type { Policy, Verdict } from '../policy.ts';
import { decide, goOn } from './decisions.ts';
import { timeLimitFailure } from './work-time.ts';

/** `told`: the soft limit was announced; `asked`: iteration of the closing turn. */
type State = { readonly told: boolean; readonly asked: number | null };

const CLOSING =
  'The time for this run is over. Do not call tools any more. Sum up for the person what you have done, what works, what is unfinished, and what the next step would be.';

/** The hard limit in milliseconds of work, for the deadline that interrupts a running call. */
export function hardLimitMs(settings: Settings): number {
  return settings('advanced.hardTimeLimitSeconds') * 1000;
}

/**
 * Time limits of work (C5). At the soft limit one last turn without tools sums up; then, or at the
 * hard limit, the run stops and can be resumed. Last in the list: its ban on tools must win.
 */
export function timeLimit(settings: Settings): Policy<State> {
  const hardMs = hardLimitMs(settings);
  const softMs = Math.min(settings('advanced.softTimeLimitSeconds') * 1000, hardMs);
  const stop = (limitMs: number): Verdict => ({
    kind: 'stop',
    reason: 'time_limit',
    failure: timeLimitFailure(limitMs),
  });
  return {
    name: 'time-limit',
    init: () => ({ told: false, asked: null }),
    before(view, state) {
      if (view.activeMs >= hardMs) return decide(stop(hardMs), state);
      if (view.activeMs < softMs) return goOn(state);
      const events = state.told
        ? []
        : [
            {
              type: 'agent.exhaustion.celery_soft',
              activeMs: view.activeMs,
              limitMs: softMs,
            } as const,
          ];
      return decide(
        { kind: 'inject', messages: [CLOSING], forceTool: 'none' },
        { told: true, asked: view.iteration },
        events,
      );
    },
    after(view, state) {
      if (view.activeMs >= hardMs) return decide(stop(hardMs), state);
      // A closing turn that failed is not over: the failure is claimed by another policy or ends the run.
      if (state.asked !== view.iteration || view.turn?.failure !== undefined) return goOn(state);
      return decide(stop(softMs), state);
    },
  };
}

import type { Settings } from '../../domain/settings/settings.ts';
import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** Stops a run before model call number `loop.maxIterations + 1`; the panel offers Continue (D1). */
export function iterationCap(settings: Settings): Policy<null> {
  const maxIterations = settings('loop.maxIterations');
  return {
    name: 'iteration-cap',
    init: () => null,
    before(view, state) {
      if (view.iteration <= maxIterations) return goOn(state);
      return decide(
        {
          kind: 'stop',
          reason: 'max_iterations',
          failure: {
            code: 'max_iterations',
            ...tells(
              told`Paused after ${maxIterations} model calls, the limit for one run. Everything done so far is kept. Choose Continue to go on, or raise belay.loop.maxIterations.`,
            ),
            details: { maxIterations },
          },
        },
        state,
      );
    },
  };
}

import type { CompactionReason } from '../../domain/run.ts';
import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Policy } from '../policy.ts';
import { decide, goOn } from './decisions.ts';

/** A compaction that leaves more than this share was not worth it. */
const WORTHLESS_SHARE = 0.9;

/** Number of the last compaction that was judged. */
type State = { readonly judged: number };

/** True outside the recovery ladder: one that freed nothing would only be asked for again. */
function isOutsideLadder(reason: CompactionReason): boolean {
  switch (reason) {
    case 'context_guard':
    case 'context_overflow':
      return true;
    case 'threshold':
    case 'deep_prune':
    case 'requested':
      return false;
    default:
      return reason satisfies never;
  }
}

/** Stops and asks when a compaction freed less than a tenth: compacting without end is impossible. */
export function compactionProgress(): Policy<State> {
  return {
    name: 'compaction-progress',
    init: () => ({ judged: 0 }),
    before(view, state) {
      const attempt = view.lastCompaction;
      if (attempt === undefined || attempt.number <= state.judged) return goOn(state);
      const judged: State = { judged: attempt.number };
      if (!isOutsideLadder(attempt.reason)) return goOn(judged);
      if (attempt.tokensAfter <= WORTHLESS_SHARE * attempt.tokensBefore) return goOn(judged);
      return decide(
        {
          kind: 'stop',
          reason: 'context_limit',
          failure: {
            code: 'context_limit',
            ...tells(
              told`Summarizing older messages freed too little: ${attempt.tokensAfter} of ${attempt.tokensBefore} tokens are still needed. Everything is kept. Choose a model with a larger window, or start a new session with a narrower task.`,
            ),
            details: {
              estimated: view.contextTokens,
              limit: view.contextLimit,
              freed: attempt.tokensBefore - attempt.tokensAfter,
            },
          },
        },
        judged,
      );
    },
  };
}

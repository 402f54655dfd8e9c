import { told } from '../../domain/text/told.ts';
import { type Failure, tells } from '../../domain/failure.ts';
import type { RunEnd, RunEndReason } from '../../domain/run.ts';
import type { Verdict } from '../policy.ts';

/** Why a signal was aborted; the last three leave open calls open (D4). */
export type StopReason = 'canceled' | 'time_limit' | 'needs_human' | 'shutdown' | 'handover';

const OPEN: ReadonlySet<unknown> = new Set<StopReason>(['needs_human', 'shutdown', 'handover']);

/** Reads the reason of a run's signal; `undefined` while it is not aborted. */
export function stopReasonOf(signal: AbortSignal): StopReason | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason === 'time_limit' || OPEN.has(reason) ? (reason as StopReason) : 'canceled';
}

/** True when the run stops as it is: no partial answer and no made-up results are kept. */
export function leavesCallsOpen(signal: AbortSignal): boolean {
  return OPEN.has(stopReasonOf(signal));
}

/** The end of a run that was stopped: by its signal or by a policy's verdict. */
export function runEndOf(cause: AbortSignal | Extract<Verdict, { kind: 'stop' }>): RunEnd {
  if (!(cause instanceof AbortSignal)) return endFor(cause.reason, cause.failure);
  switch (stopReasonOf(cause)) {
    case 'time_limit':
      return endFor('time_limit', {
        code: 'time_limit',
        ...tells(
          told`The hard time limit was reached and the run was stopped. Everything finished is kept; Continue goes on from here. The limit is the setting belay.advanced.hardTimeLimitSeconds.`,
        ),
      });
    case 'needs_human':
      return { reason: 'needs_human', state: 'waiting_on_human', canContinue: false };
    case 'shutdown':
    case 'handover':
      return { reason: 'needs_human', state: 'running', canContinue: false };
    case 'canceled':
    case undefined:
      return endFor('canceled');
    default:
      throw new TypeError('unknown stop reason');
  }
}

function endFor(reason: RunEndReason, failure?: Failure): RunEnd {
  const withFailure = failure === undefined ? {} : { failure };
  switch (reason) {
    case 'done':
      return { reason, state: 'completed', canContinue: false };
    case 'canceled':
      return { reason, state: 'cancelled', canContinue: true };
    case 'needs_human':
      return { reason, state: 'waiting_on_human', canContinue: false, ...withFailure };
    case 'denied':
      return { reason, state: 'failed', canContinue: false, ...withFailure };
    case 'budget':
    case 'max_iterations':
    case 'time_limit':
    case 'context_limit':
    case 'failure':
      return { reason, state: 'failed', canContinue: true, ...withFailure };
    default:
      return reason satisfies never;
  }
}

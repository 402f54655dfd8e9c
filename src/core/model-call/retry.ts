import type { Failure } from '../../domain/failure.ts';
import type { Settings } from '../../domain/settings.ts';
import { isAbortError } from '../abort.ts';
import type { Clock, Log } from '../ports.ts';
import { attemptOf } from './attempt.ts';
import { failureRule } from './failure-rules.ts';
import type { WrapModelCall } from './model-call.ts';

export interface RetryOptions {
  /** `model.retryAttempts`, `model.retryBase`, `model.retryAfterLimit`; read for each call. */
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** B9: the waits grow by this factor … */
const GROWTH = 2;
/** … and vary by this share up and down, so that many windows do not come back at once. */
const JITTER = 0.2;

/**
 * Tries a failed call again (B9, E6): with the same request, after growing waits, or after what the
 * server asks for. A discarded attempt is void: nothing of it reaches the history. One call is one
 * turn, so the budget is per turn and a success resets it.
 */
export function retrying({ settings, clock, log, random }: RetryOptions): WrapModelCall {
  return (next) =>
    async function* retry(request, context) {
      const attempts = settings('model.retryAttempts');
      for (let failed = 1; ; failed += 1) {
        const { failed: failure, shown } = yield* attemptOf(next(request, context));
        if (failure === undefined) return;
        const plan = planFor(failure.failure, {
          failed,
          attempts,
          base: settings('model.retryBase') * 1000,
          limit: settings('model.retryAfterLimit') * 1000,
          random,
        });
        if ('stop' in plan) {
          yield { ...failure, failure: plan.stop(clock.now()) };
          return;
        }
        const reason = reasonOf(failure.failure);
        log.warn('model call failed, trying again', {
          code: failure.failure.code,
          attempt: failed,
          waitMs: plan.waitMs,
          ...(failure.failure.requestId === undefined
            ? {}
            : { requestId: failure.failure.requestId }),
        });
        if (shown) yield { type: 'discard', reason };
        context.emit({
          type: 'model.waiting',
          reason,
          attempt: failed,
          attempts,
          until: clock.now() + plan.waitMs,
        });
        try {
          await clock.sleep(plan.waitMs, context.signal);
        } catch (thrown) {
          if (!isAbortError(thrown)) throw thrown;
          yield { type: 'failed', failure: { code: 'canceled', message: 'Canceled.' } };
          return;
        }
      }
    };
}

interface Budget {
  /** Failed attempts so far, this one included. */
  readonly failed: number;
  /** Retries allowed. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly base: number;
  /** Longest wait that a server may ask for, in milliseconds. */
  readonly limit: number;
  readonly random: () => number;
}

type Plan = { readonly waitMs: number } | { readonly stop: (now: number) => Failure };

function planFor(failure: Failure, budget: Budget): Plan {
  const { retry } = failureRule(failure.code);
  const allowed =
    retry === 'yes' ? budget.attempts : retry === 'once' ? Math.min(1, budget.attempts) : 0;
  if (allowed === 0 || failure.details?.['noRetry'] === true) return { stop: () => failure };
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > budget.limit) {
    const wait = failure.retryAfterMs;
    return { stop: (now) => tooLong(failure, now + wait) };
  }
  if (budget.failed > allowed) {
    const times = budget.failed === 1 ? 'once' : `${budget.failed} times`;
    return { stop: () => ({ ...failure, message: `${failure.message} It was tried ${times}.` }) };
  }
  if (failure.retryAfterMs !== undefined) return { waitMs: failure.retryAfterMs };
  const spread = 1 + JITTER * (2 * budget.random() - 1);
  return { waitMs: Math.round(budget.base * GROWTH ** (budget.failed - 1) * spread) };
}

/** A wait of an hour is no wait but a stop, with the time and a way on. */
function tooLong(failure: Failure, until: number): Failure {
  const time = new Date(until).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
  });
  return {
    ...failure,
    message: `${failure.message} The server asks to wait until ${time}, longer than the setting belay.model.retryAfterLimit allows: send again then, or choose another model now with “Belay: Choose Model”.`,
    details: { ...failure.details, until },
  };
}

function reasonOf(failure: Failure): string {
  const { reason } = failureRule(failure.code);
  return failure.status === undefined ? reason : `${reason} (HTTP ${failure.status})`;
}

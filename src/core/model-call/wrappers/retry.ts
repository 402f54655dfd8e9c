import {
  alsoTells,
  because,
  type Failure,
  type Reason,
  sentenceOf,
  tells,
} from '../../../domain/failure.ts';
import { inEnglish, told, type Told, verbatim } from '../../../domain/text/told.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { attemptOf } from './attempt.ts';
import { failureRule } from '../failure-rules.ts';
import type { ModelCallContext, WrapModelCall } from '../model-call.ts';
import { RetryWaits } from '../retry-waits.ts';

export interface RetryOptions {
  /** `advanced.modelRetries`, `advanced.modelRetryDelaySeconds`, `advanced.maxRetryAfterSeconds`; read for each call. */
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
 * Tries a failed call again (B9, E6), with the same request, after growing waits or as the server
 * asks. A discarded attempt is void. One call is one turn, so the budget is per turn.
 */
export function withRetry({ settings, clock, log, random }: RetryOptions): WrapModelCall {
  return (next) =>
    async function* retry(request, context) {
      const attempts = settings('advanced.modelRetries');
      let brokeOff = false;
      for (let failed = 1; ; failed += 1) {
        const { failed: failure, shown } = yield* attemptOf(next(request, context));
        if (failure === undefined) return;
        brokeOff ||= shown;
        const plan = planFor(failure.failure, {
          failed,
          attempts,
          base: settings('advanced.modelRetryDelaySeconds') * 1000,
          limit: settings('advanced.maxRetryAfterSeconds') * 1000,
          random,
        });
        if ('stop' in plan) {
          yield { ...failure, failure: brokenOff(plan.stop(clock.now()), brokeOff && !shown) };
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
        if (shown) yield { type: 'discard', ...because(reason) };
        try {
          await waitFor(plan.waitMs, {
            clock,
            context,
            about: { ...because(reason), attempt: failed, attempts },
          });
        } catch (thrown) {
          if (!isAbortError(thrown)) throw thrown;
          const waited = told`It waited to try again: ${reason}.`;
          yield {
            type: 'failed',
            failure: {
              code: 'canceled',
              ...tells(waited),
              details: { cause: inEnglish(reason) },
            },
          };
          return;
        }
      }
    };
}

interface Wait {
  readonly clock: Clock;
  readonly context: ModelCallContext;
  readonly about: Reason & { readonly attempt: number; readonly attempts: number };
}

/** Waits where the person sees it; they may stop, or have it tried at once. */
async function waitFor(ms: number, { clock, context, about }: Wait): Promise<void> {
  const { emit, signal, waits = new RetryWaits() } = context;
  emit({ type: 'model.waiting', ...about, until: clock.now() + ms });
  if (await waits.sleep(clock, ms, signal))
    emit({ type: 'model.waiting', ...about, until: clock.now() });
}

/** Names the break of an earlier attempt, when the last one could not even begin. */
function brokenOff(failure: Failure, brokeOff: boolean): Failure {
  if (!brokeOff) return failure;
  const before = told`The answer broke off while it was written. Then:`;
  return { ...failure, ...tells(before, sentenceOf(failure)) };
}

interface Budget {
  readonly failed: number;
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
    const tried =
      budget.failed === 1
        ? told`It was tried once.`
        : told`It was tried ${String(budget.failed)} times.`;
    return { stop: () => alsoTells(failure, tried) };
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
    ...alsoTells(
      failure,
      told`The server asks to wait until ${time}, longer than the setting belay.advanced.maxRetryAfterSeconds allows: send again then, or choose another model now with “Belay: Choose Model”.`,
    ),
    details: { ...failure.details, until },
  };
}

/** The text beside the countdown: in the provider's own words where it names an address. */
function reasonOf(failure: Failure): Told {
  const cause = failure.details?.['cause'];
  if (typeof cause === 'string') return verbatim(cause);
  const { reason } = failureRule(failure.code);
  const { status } = failure;
  return status === undefined ? reason : told`${reason} (HTTP ${String(status)})`;
}

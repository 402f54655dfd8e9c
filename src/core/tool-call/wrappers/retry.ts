import type { FailureCode } from '../../../domain/failure.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import type { Clock } from '../../ports/clock.ts';
import { toolOf } from './lookup.ts';
import { canceledOutcome } from '../result.ts';
import type { RunLedger } from '../run-ledger.ts';
import type { ToolCallRequest, ToolOutcome, WrapToolCall } from '../tool-call.ts';

/** C1: three retries at most, after 0.5 s, 2 s and 8 s. */
const RETRIES = 3;
const FACTOR = 4;
/** A server that asks for a longer wait is not waited for: the model hears of it instead. Milliseconds. */
const LONGEST_WAIT = 60_000;

/** Timeout, refused or reset connection, 5xx, 429: by code, never by text. */
const TRANSIENT: ReadonlySet<FailureCode> = new Set([
  'timeout',
  'network',
  'overloaded',
  'rate_limited',
]);

/** Inside the ledger, outside the deadline. Repeats reading and repeatable tools (C1); `baseMs`: `advanced.toolRetryDelaySeconds`. */
export function withRetry(clock: Clock, runs: RunLedger, baseMs: () => number): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) await countAttempt(runs, request);
      const outcome = await next(request);
      const waitMs = waitBefore(attempt, outcome, baseMs());
      const { sideEffects, repeatable } = toolOf(request);
      if (
        (sideEffects && repeatable !== true) ||
        waitMs === undefined ||
        outcome.failure === undefined
      )
        return attempt === 1
          ? outcome
          : { ...outcome, result: { ...outcome.result, retries: attempt - 1 } };
      context.emit({
        type: 'agent.tool.retry',
        callId: part.id,
        name: part.name,
        attempt,
        waitMs,
        failure: outcome.failure,
      });
      try {
        await clock.sleep(waitMs, context.signal);
      } catch (thrown) {
        if (isAbortError(thrown)) return canceledOutcome(part, context.signal);
        throw thrown;
      }
    }
  };
}

/** Milliseconds until the next attempt; `undefined`: there is none. */
function waitBefore(attempt: number, { failure }: ToolOutcome, baseMs: number): number | undefined {
  if (failure === undefined || attempt > RETRIES || !TRANSIENT.has(failure.code)) return undefined;
  if (failure.details?.['abandoned'] === true) return undefined;
  const wait = Math.max(baseMs * FACTOR ** (attempt - 1), failure.retryAfterMs ?? 0);
  return wait <= LONGEST_WAIT ? wait : undefined;
}

async function countAttempt(runs: RunLedger, { part, context }: ToolCallRequest): Promise<void> {
  const entry = await runs.entry(context.runId, part.id);
  if (entry !== undefined) runs.remember({ ...entry, attempts: entry.attempts + 1 });
}

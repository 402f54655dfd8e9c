import { told } from '../../../domain/text/told.ts';
import { failureOf, tells } from '../../../domain/failure.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import type { Log } from '../../ports/log.ts';
import { canceledOutcome, failedOutcome } from '../result.ts';
import type { ToolCallRequest, ToolOutcome, WrapToolCall } from '../tool-call.ts';

/** Outermost. Whatever is thrown becomes a result (E10, A14); stacks are logged. */
export function withCatchAll(log: Log): WrapToolCall {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (thrown) {
      return outcomeOfThrown(request, thrown, log);
    }
  };
}

/** The outcome of a call that threw, whatever it was. */
export function outcomeOfThrown(request: ToolCallRequest, thrown: unknown, log: Log): ToolOutcome {
  const expected = expectedOutcome(request, thrown);
  if (expected !== undefined) return expected;
  const { part } = request;
  log.error(`The tool ${part.name} failed unexpectedly (call ${part.id}).`, thrown);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const said = told`${part.name} failed unexpectedly: ${reason}. It may have done part of its work: check before you repeat it, or go another way.`;
  return failedOutcome(part, { code: 'unexpected', ...tells(said) });
}

/** The outcome of a refusal or a stop; `undefined` for a defect, which belongs in the log. */
export function expectedOutcome(
  { part, context }: ToolCallRequest,
  thrown: unknown,
): ToolOutcome | undefined {
  const { signal } = context;
  if (signal.aborted && isAbortError(thrown)) return canceledOutcome(part, signal);
  const failure = failureOf(thrown);
  switch (failure.code) {
    case 'unexpected':
      return undefined;
    case 'canceled':
      return signal.aborted
        ? canceledOutcome(part, signal, isAbortError(thrown) ? undefined : failure)
        : failedOutcome(part, failure);
    default:
      return failedOutcome(part, failure);
  }
}

import { failureOf } from '../../domain/failure.ts';
import { isAbortError } from '../abort.ts';
import type { Log } from '../ports.ts';
import { canceledOutcome, failedOutcome } from './result.ts';
import type { WrapToolCall } from './tool-call.ts';

/**
 * Outermost. Whatever is thrown further in becomes a result that the model can read (E10, A14);
 * the stack goes to the log.
 */
export function catchAll(log: Log): WrapToolCall {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (thrown) {
      const { part, context } = request;
      if (context.signal.aborted && isAbortError(thrown))
        return canceledOutcome(part, context.signal);
      const failure = failureOf(thrown);
      if (failure.code !== 'unexpected') return failedOutcome(part, failure);
      log.error(`The tool ${part.name} failed unexpectedly (call ${part.id}).`, thrown);
      return failedOutcome(part, failure, unexpectedText(part.name, thrown));
    }
  };
}

/** What the model is told of a defect of ours or of a tool. */
export function unexpectedText(name: string, thrown: unknown): string {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return `${name} failed unexpectedly: ${reason}. It may have done part of its work: check before you repeat it, or go another way.`;
}

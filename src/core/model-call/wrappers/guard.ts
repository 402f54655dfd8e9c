import { told } from '../../../domain/text/told.ts';
import { CANCELED, failureOf, tells } from '../../../domain/failure.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import type { Log } from '../../ports/log.ts';
import type { WrapModelCall } from '../model-call.ts';

/**
 * Holds a provider to its contract: a defect that throws becomes a failure, and every call ends
 * with exactly one of `complete` and `failed`.
 */
export function withGuard(log: Log): WrapModelCall {
  return (next) =>
    async function* guard(request, context) {
      try {
        for await (const event of next(request, context)) {
          yield event;
          if (event.type === 'complete' || event.type === 'failed') return;
        }
      } catch (thrown) {
        if (!isAbortError(thrown)) log.error('model call threw', thrown);
        yield {
          type: 'failed',
          failure: context.signal.aborted ? CANCELED : failureOf(thrown),
        };
        return;
      }
      yield {
        type: 'failed',
        failure: {
          code: 'stream_broken',
          ...tells(
            told`The model call ended without an answer. Everything so far is kept: send a message to go on.`,
          ),
        },
      };
    };
}

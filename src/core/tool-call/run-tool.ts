import { failureOf } from '../../domain/failure.ts';
import { isAbortError } from '../abort.ts';
import type { Log } from '../ports.ts';
import { unexpectedText } from './catch-all.ts';
import { toolOf } from './lookup.ts';
import { canceledOutcome, failedOutcome } from './result.ts';
import type { ToolCall } from './tool-call.ts';

/** Innermost: runs the tool. What it throws becomes a result (E10); the stack of a defect goes to the log. */
export function runTool(log: Log): ToolCall {
  return async (request) => {
    const { part, context } = request;
    try {
      if (context.signal.aborted) return canceledOutcome(part, context.signal);
      const output = await toolOf(request).run(part.input, context);
      return {
        result: {
          type: 'tool_result',
          callId: part.id,
          name: part.name,
          state: output.isError === true ? 'failed' : 'done',
          content: output.content,
          ...(output.files === undefined ? {} : { files: output.files }),
          ...(output.display === undefined ? {} : { display: output.display }),
        },
      };
    } catch (thrown) {
      if (context.signal.aborted && isAbortError(thrown))
        return canceledOutcome(part, context.signal);
      const failure = failureOf(thrown);
      if (failure.code !== 'unexpected') return failedOutcome(part, failure);
      log.error(`The tool ${part.name} failed unexpectedly (call ${part.id}).`, thrown);
      return failedOutcome(part, failure, unexpectedText(part.name, thrown));
    }
  };
}

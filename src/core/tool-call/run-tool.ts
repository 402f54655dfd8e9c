import type { Log } from '../ports/log.ts';
import { outcomeOfThrown } from './wrappers/catch-all.ts';
import { toolOf } from './wrappers/lookup.ts';
import { canceledOutcome } from './result.ts';
import type { ToolCall } from './tool-call.ts';

/** Innermost: runs the tool. What it throws becomes a result (E10); the stack of a defect goes to the log. */
export function runTool(log: Log): ToolCall {
  return async (request) => {
    const { part, context } = request;
    if (context.signal.aborted) return canceledOutcome(part, context.signal);
    try {
      const output = await toolOf(request).run(part.input, context);
      return {
        result: {
          type: 'tool_result',
          callId: part.id,
          name: part.name,
          state: output.isError === true ? 'failed' : 'done',
          content: output.content,
          ...(output.files === undefined ? {} : { files: output.files }),
          ...(output.cut === undefined ? {} : { cut: output.cut }),
          ...(output.display === undefined ? {} : { display: output.display }),
        },
      };
    } catch (thrown) {
      return outcomeOfThrown(request, thrown, log);
    }
  };
}

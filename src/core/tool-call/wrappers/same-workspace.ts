import { toolOf } from './lookup.ts';
import type { WrapToolCall } from '../tool-call.ts';

/**
 * Refuses a call with side effects whose workspace folder is not the one that its run began in: before permission, so
 * that nobody is asked about another folder, and innermost, because an approval may take hours.
 */
export function withSameWorkspace(): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    const tool = toolOf(request);
    if (tool.sideEffects) {
      const touched = tool.touches?.(part.input, context.roots) ?? [];
      const lines = tool.commands?.(part.input, context.roots) ?? [];
      const paths = [...touched.map(({ path }) => path), ...lines.map(({ cwd }) => cwd)];
      await context.refuseReplaced?.(paths);
    }
    return next(request);
  };
}

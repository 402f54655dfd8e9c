import { toolOf } from './lookup.ts';
import type { WrapToolCall } from '../tool-call.ts';

/** A sentence about proposals that are on no disk yet; `undefined`: there are none. */
export type UnseenProposals = (roots: readonly string[]) => string | undefined;

/**
 * Outside the size limit, so that it is never cut away: what runs outside, a command, a server's tool,
 * a language server, sees the files on disk, and the model is told which of its proposals these do not have.
 */
export function withUnseenProposals(unseen: UnseenProposals): WrapToolCall {
  return (next) => async (request) => {
    const { permission, module } = toolOf(request);
    const isOutside = permission === 'execute' || module === 'language';
    const note = isOutside ? unseen(request.context.roots) : undefined;
    const outcome = await next(request);
    if (note === undefined) return outcome;
    const { result } = outcome;
    const content = [...result.content, { type: 'text', text: `[${note}]` } as const];
    return { ...outcome, result: { ...result, content } };
  };
}

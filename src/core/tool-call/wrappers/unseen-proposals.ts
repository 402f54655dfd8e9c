import { inEnglish, type Told } from '../../../domain/text/told.ts';
import { toolOf } from './lookup.ts';
import type { WrapToolCall } from '../tool-call.ts';

/** Sentences about proposals that are on no disk yet; `undefined`: there are none. */
export type UnseenProposals = (roots: readonly string[]) => readonly Told[] | undefined;

/** Outside the size limit. Tells which proposals an outside program cannot see. */
export function withUnseenProposals(unseen: UnseenProposals): WrapToolCall {
  return (next) => async (request) => {
    const { permission, module } = toolOf(request);
    const isOutside = permission === 'execute' || module === 'language';
    const note = isOutside ? unseen(request.context.roots) : undefined;
    const outcome = await next(request);
    if (note === undefined) return outcome;
    const { result } = outcome;
    const content = [
      ...result.content,
      { type: 'text', text: `[${note.map(inEnglish).join(' ')}]` } as const,
    ];
    return { ...outcome, result: { ...result, content } };
  };
}

import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { cancelFollowupFace } from './followup-faces.ts';

const schema = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) });

export function cancelFollowupTool({ records: { followUps } }: ToolParts): Tool {
  return defineTool(cancelFollowupFace, {
    description: 'Cancels a follow-up of this session that is not wanted any more.',
    schema,
    rare: true,
    sideEffects: true,
    level: 'user',
    module: 'followups',
    permission: 'none',
    available: () => followUps !== undefined,
    run: async ({ id }, { sessionId }) => {
      const waiting = (await followUps?.service.of(sessionId)) ?? [];
      if (followUps === undefined || !waiting.some((one) => one.id === id)) {
        const known = waiting.map((one) => `${one.id} (${one.prompt.slice(0, 80)})`);
        const list =
          known.length === 0 ? told`None waits.` : told`Those that wait: ${known.join('; ')}.`;
        throw fault(
          'not_found',
          told`There is nothing scheduled as ${id} in this session. ${list}`,
        );
      }
      const { prompt, dueAt } = await followUps.service.cancel(id);
      return {
        content: [{ type: 'text', text: `Cancelled: ${prompt}` }],
        display: { kind: 'followup' as const, id, dueAt },
      };
    },
  });
}

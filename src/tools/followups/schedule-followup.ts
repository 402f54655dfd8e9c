import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Clock } from '../../core/ports/clock.ts';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { FOLLOWUP_LENGTH } from '../../domain/session/followup.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { dateAndTime } from '../../domain/text/language.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { scheduleFollowupFace } from './followup-faces.ts';

const schema = z.strictObject({
  prompt: z.string().check(z.minLength(1), z.maxLength(FOLLOWUP_LENGTH)),
  delay_minutes: z.optional(z.number()),
  at: z.optional(z.string().check(z.describe('local time: 2026-11-21T09:00'))),
});

export function scheduleFollowupTool({ records: { followUps }, clock }: ToolParts): Tool {
  return defineTool(scheduleFollowupFace, {
    description:
      'Puts a prompt back into this session after delay_minutes or at a time (1 minute to 30 days ahead): to look again at what takes long. Write the prompt so that it stands alone.',
    schema,
    rare: true,
    sideEffects: true,
    level: 'user',
    module: 'followups',
    permission: 'execute',
    available: () => followUps !== undefined,
    preview: async (input) => ({
      title: l10n.t('Schedule a follow-up for {0}', dateAndTime(timeOf(input, clock))),
      detail: makeVisible(input.prompt),
      prose: true,
    }),
    run: async (input, { sessionId }) => {
      if (followUps === undefined) throw fault('invalid', told`Nothing can be scheduled here.`);
      const prompt = await followUps.mask(input.prompt);
      const dueAt = timeOf(input, clock);
      const { id } = await followUps.service.schedule(sessionId, prompt, dueAt);
      return {
        content: [
          {
            type: 'text',
            text: `Scheduled as ${id} for ${new Date(dueAt).toISOString()}. The person sees it and may change or cancel it; end your answer now, do not wait for it.`,
          },
        ],
        display: { kind: 'followup' as const, id, dueAt },
      };
    },
  });
}

/** Milliseconds since the epoch. */
function timeOf(
  {
    delay_minutes: minutes,
    at,
  }: { readonly delay_minutes?: number | undefined; readonly at?: string | undefined },
  clock: Clock,
): number {
  if ((minutes === undefined) === (at === undefined))
    throw fault('invalid', told`Send either delay_minutes or at. Nothing was scheduled.`);
  const time = minutes === undefined ? Date.parse(at ?? '') : clock.now() + minutes * 60_000;
  if (Number.isFinite(time)) return time;
  throw fault('invalid', told`at is no time: write it as 2026-11-21T09:00. Nothing was scheduled.`);
}

import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { forgetFace } from './memory-faces.ts';

const schema = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(40), z.describe('as in the notes: w12, p3')),
});

export function forgetTool({ records: { memories } }: ToolParts): Tool {
  const known = async (id: string) => {
    const found = (await memories.records.all()).find((note) => note.id === id);
    if (found !== undefined) return found;
    throw fault('not_found', told`There is nothing remembered as ${id}. recall says the ids.`);
  };
  return defineTool(forgetFace, {
    description: 'Removes a note of earlier sessions that is wrong or no longer wanted.',
    schema,
    rare: true,
    sideEffects: true,
    lasting: true,
    level: 'user',
    module: 'memory',
    permission: 'none',
    available: () => memories.enabled(),
    preview: async ({ id }) => ({
      title: l10n.t('Forget a note'),
      detail: makeVisible((await known(id)).text),
      prose: true,
    }),
    run: async ({ id }) => {
      const { scope, text } = await known(id);
      await memories.records.remove(id);
      return {
        content: [{ type: 'text', text: `Forgotten: ${text}` }],
        display: { kind: 'memory' as const, scope, notes: [{ id, text }] },
      };
    },
  });
}

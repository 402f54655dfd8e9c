import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { MEMORY_LENGTH, MEMORY_SCOPES } from '../../domain/memory.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { rememberFace } from './memory-faces.ts';

const schema = z.strictObject({
  text: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(MEMORY_LENGTH),
      z.describe('one fact in a sentence that stands alone'),
    ),
  scope: z.optional(
    z.enum(MEMORY_SCOPES).check(z.describe('person: for all their workspaces; default: workspace')),
  ),
});

export function rememberTool({ records: { memories } }: ToolParts): Tool {
  return defineTool(rememberFace, {
    description:
      'Keeps a fact for later sessions: a preference, a decision, a convention. Not what files say, nor secrets.',
    schema,
    sideEffects: true,
    // The same note again is the one that is there.
    repeatable: true,
    lasting: true,
    level: 'user',
    module: 'memory',
    permission: 'none',
    available: () => memories.enabled(),
    preview: async ({ text, scope = 'workspace' }) => ({
      title:
        scope === 'person'
          ? l10n.t('Remember in all workspaces')
          : l10n.t('Remember in this workspace'),
      detail: cleanText(await memories.mask(text)),
      prose: true,
    }),
    run: async ({ text, scope = 'workspace' }, { sessionId }) => {
      const kept = cleanText(await memories.mask(text)).trim();
      if (kept === '')
        throw fault('invalid', told`text says nothing. Write the fact in a sentence.`);
      const { id } = await memories.records.add({ scope, text: kept, sessionId });
      return {
        content: [{ type: 'text', text: `Remembered as ${id}.` }],
        display: { kind: 'memory' as const, scope, notes: [{ id, text: kept }] },
      };
    },
  });
}

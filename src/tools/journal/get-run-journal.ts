import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { JOURNAL_SECTIONS, journalText } from '../../domain/session/journal.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { getRunJournalFace } from './journal-faces.ts';

export function getRunJournalTool({ records: { journals } }: ToolParts): Tool {
  return defineTool(getRunJournalFace, {
    description: 'Reads the run journal of this session.',
    schema: z.strictObject({}),
    rare: true,
    sideEffects: false,
    level: 'guest',
    module: 'journal',
    permission: 'none',
    run: async (_input, { sessionId }) => {
      const journal = await journals.records.readByModel(sessionId);
      const text = journalText(journal);
      const sections = JOURNAL_SECTIONS.filter((section) => journal[section].length > 0);
      return {
        content: [{ type: 'text', text: text === '' ? 'The journal is empty.' : text }],
        display: { kind: 'journal' as const, sections },
      };
    },
  });
}

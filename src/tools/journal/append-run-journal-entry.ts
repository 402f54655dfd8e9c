import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import { JOURNAL_ENTRY_LENGTH, JOURNAL_LISTS, oneLine } from '../../domain/session/journal.ts';
import { fault } from '../../domain/failure.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { appendRunJournalEntryFace } from './journal-faces.ts';

const schema = z.strictObject({
  section: z.enum(JOURNAL_LISTS),
  entry: z.string().check(z.minLength(1), z.maxLength(JOURNAL_ENTRY_LENGTH)),
});

export function appendRunJournalEntryTool({ records: { journals } }: ToolParts): Tool {
  return defineTool(appendRunJournalEntryFace, {
    description:
      "Adds one line to a list of the run journal: a finding you verified, a decision with its reason, an artifact's path, an open question, a blocker.",
    schema,
    rare: true,
    // The same entry again is the one that is there.
    sideEffects: false,
    level: 'guest',
    module: 'journal',
    permission: 'none',
    run: async ({ section, entry }, { sessionId, emit }) => {
      const line = oneLine(await journals.mask(entry));
      if (line === '') throw fault('invalid', told`entry says nothing. Write it in a sentence.`);
      const journal = await journals.records.append(sessionId, { section, entry: line }, emit);
      return {
        content: [{ type: 'text', text: `Written. ${section} has ${journal[section].length}.` }],
        display: { kind: 'journal' as const, sections: [section] },
      };
    },
  });
}

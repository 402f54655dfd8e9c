import { told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import type { Tool } from '../../core/tool-call/tool-call.ts';
import {
  contentText,
  JOURNAL_ENTRY_LENGTH,
  JOURNAL_LISTS,
  JOURNAL_TEXT_LENGTH,
  JOURNAL_TEXTS,
  type JournalChange,
  type JournalList,
  MOST_ENTRIES,
  oneLine,
} from '../../domain/session/journal.ts';
import { fault } from '../../domain/failure.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolParts } from '../tool-parts.ts';
import { updateRunJournalFace } from './journal-faces.ts';

const section = z.optional(z.string().check(z.maxLength(JOURNAL_TEXT_LENGTH)));
const list = z.optional(
  z.array(z.string().check(z.maxLength(JOURNAL_ENTRY_LENGTH))).check(z.maxLength(MOST_ENTRIES)),
);
const lists = Object.fromEntries(JOURNAL_LISTS.map((name) => [name, list])) as Record<
  JournalList,
  typeof list
>;

const schema = z.strictObject({
  objective: section,
  current_state: section,
  handoff_next_action: section,
  ...lists,
});

export function updateRunJournalTool({ records: { journals } }: ToolParts): Tool {
  return defineTool(updateRunJournalFace, {
    description:
      'Writes sections of the run journal, your working memory, which outlasts limits, crashes and summaries; the person sees and edits it. For work of several steps keep objective, current_state and handoff_next_action (one line: what should happen next if you stop here) true. A section that is sent replaces what it said, a list as a whole.',
    schema,
    rare: true,
    // A second writing of the same changes nothing.
    sideEffects: false,
    level: 'guest',
    module: 'journal',
    permission: 'none',
    run: async (input, { sessionId, emit }) => {
      const given = await masked(input, journals.mask);
      const names = Object.keys(given);
      if (names.length === 0)
        throw fault(
          'invalid',
          told`No section was sent. Send at least one, with what it is to say.`,
        );
      const { journal, refused } = await journals.records.update(sessionId, given, emit);
      if (refused.length === 0) {
        return {
          content: [{ type: 'text', text: 'Written.' }],
          display: { kind: 'journal' as const, sections: names },
        };
      }
      const theirs = refused.map((name) => `${name}:\n${contentText(journal[name])}`);
      return {
        content: [
          {
            type: 'text',
            text: `Not written: the person has changed this since you last saw it. Theirs is below; send yours again with their words in it.\n${theirs.join('\n')}`,
          },
        ],
        isError: true,
        display: { kind: 'journal' as const, sections: [] },
      };
    },
  });
}

/** The arguments, cleaned, without secrets. */
async function masked(
  input: JournalChange,
  mask: (text: string) => Promise<string>,
): Promise<JournalChange> {
  const texts = JOURNAL_TEXTS.map(async (name) => {
    const { [name]: text } = input;
    return text === undefined ? [] : [[name, cleanText(await mask(text)).trim()] as const];
  });
  const entries = JOURNAL_LISTS.map(async (name) => {
    const { [name]: given } = input;
    if (given === undefined) return [];
    const lines = await Promise.all(given.map(async (entry) => oneLine(await mask(entry))));
    return [[name, [...new Set(lines.filter((line) => line !== ''))]] as const];
  });
  const [given, listed] = await Promise.all([Promise.all(texts), Promise.all(entries)]);
  return Object.fromEntries<string | readonly string[]>([...given.flat(), ...listed.flat()]);
}

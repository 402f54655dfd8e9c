import * as l10n from '@vscode/l10n';
import { JOURNAL_LISTS, JOURNAL_SECTIONS } from '../../domain/session/journal.ts';
import { SECTION_NAMES } from '../../domain/session/journal-names.ts';
import { type CardRow, defineDisplay, defineFace } from '../face/face.ts';
import { keyOf, maybeText, maybeTexts, text, texts } from '../face/fields.ts';

const rowOf = (said: string): CardRow => ({ icon: 'note', text: said });

/** Sections that a call wrote, by their names for people. */
const journalDisplay = defineDisplay(
  'journal',
  { sections: texts },
  {
    note: ({ sections }) =>
      JOURNAL_SECTIONS.filter((section) => sections.includes(section))
        .map((section) => l10n.t(SECTION_NAMES[section]))
        .join(', '),
  },
);

const lists = Object.fromEntries(JOURNAL_LISTS.map((section) => [section, maybeTexts])) as Record<
  (typeof JOURNAL_LISTS)[number],
  typeof maybeTexts
>;

export const getRunJournalFace = defineFace(
  'get_run_journal',
  {},
  {
    icon: 'notebook',
    title: l10n.t('Read the journal'),
    displays: [journalDisplay],
  },
);

export const updateRunJournalFace = defineFace(
  'update_run_journal',
  { objective: maybeText, current_state: maybeText, handoff_next_action: maybeText, ...lists },
  {
    icon: 'notebook',
    title: l10n.t('Journal'),
    subject: ['current_state', 'objective', 'handoff_next_action'],
    steps: (input) =>
      JOURNAL_SECTIONS.flatMap((section) => input[section] ?? [])
        .filter((said) => said.trim() !== '')
        .map(rowOf),
    displays: [journalDisplay],
  },
);

export const appendRunJournalEntryFace = defineFace(
  'append_run_journal_entry',
  { section: keyOf(SECTION_NAMES, 'verified_findings'), entry: text },
  {
    icon: 'notebook',
    title: l10n.t('Journal entry'),
    words: ({ entry }) => ({ subject: entry }),
    displays: [journalDisplay],
  },
);

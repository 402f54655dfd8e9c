import { type Json, type JsonObject, isJsonObject } from '../data/json.ts';
import { SECTION_NAMES } from './journal-names.ts';
import { cleanText } from '../text/honest-text.ts';

/** Sections of one text. */
export const JOURNAL_TEXTS = ['objective', 'current_state', 'handoff_next_action'] as const;
/** Sections of entries, oldest first. */
export const JOURNAL_LISTS = [
  'verified_findings',
  'decisions',
  'artifacts',
  'open_questions',
  'blockers',
] as const;

export type JournalText = (typeof JOURNAL_TEXTS)[number];
export type JournalList = (typeof JOURNAL_LISTS)[number];
export type JournalSection = JournalText | JournalList;

/** All sections, in the order in which they are read. */
export const JOURNAL_SECTIONS: readonly JournalSection[] = [
  'objective',
  'current_state',
  ...JOURNAL_LISTS,
  'handoff_next_action',
];

/** A session's working memory that is written on purpose (C10); empty sections say nothing. */
export type Journal = { readonly [Name in JournalText]: string } & {
  readonly [Name in JournalList]: readonly string[];
};

/** New contents of sections, each as a whole. */
export type JournalChange = { readonly [Name in JournalSection]?: Journal[Name] | undefined };

/** Characters of a text, and of an entry. */
export const JOURNAL_TEXT_LENGTH = 1000;
export const JOURNAL_ENTRY_LENGTH = 500;
/** Entries of a list; and characters of the whole journal. */
export const MOST_ENTRIES = 30;
export const JOURNAL_LENGTH = 12_000;
/** Characters of its digest (C10). */
export const DIGEST_LENGTH = 500;

export const EMPTY_JOURNAL: Journal = {
  objective: '',
  current_state: '',
  verified_findings: [],
  decisions: [],
  artifacts: [],
  open_questions: [],
  blockers: [],
  handoff_next_action: '',
};

export const isJournalList = (section: JournalSection): section is JournalList =>
  (JOURNAL_LISTS as readonly string[]).includes(section);

export function isEmptyJournal(journal: Journal): boolean {
  return JOURNAL_SECTIONS.every((section) => journal[section].length === 0);
}

/** The journal with some of its sections replaced. */
export function withSections(journal: Journal, change: JournalChange): Journal {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...journal, ...Object.fromEntries(given) };
}

/** A journal from elsewhere: what does not fit is left out. */
export function journalFrom(value: Json | undefined): Journal {
  const given: JsonObject = isJsonObject(value) ? value : {};
  const sections = JOURNAL_SECTIONS.map((section) => {
    const content = given[section];
    if (!isJournalList(section)) {
      const text = typeof content === 'string' ? content.slice(0, JOURNAL_TEXT_LENGTH) : '';
      return [section, cleanText(text)];
    }
    const entries = Array.isArray(content) ? content : [];
    const texts = entries.filter((entry): entry is string => typeof entry === 'string');
    return [section, texts.slice(0, MOST_ENTRIES).map(entryFrom).filter(Boolean)];
  });
  return Object.fromEntries(sections) as Journal;
}

const entryFrom = (text: string): string => oneLine(text.slice(0, JOURNAL_ENTRY_LENGTH));

/** An entry as it is kept: one line, nothing hidden. */
export function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/gu, ' ').trim();
}

/** All that it says, as markdown; empty sections are left out. */
export function journalText(journal: Journal): string {
  return JOURNAL_SECTIONS.filter((section) => journal[section].length > 0)
    .map((section) => `## ${SECTION_NAMES[section]}\n${contentText(journal[section])}`)
    .join('\n\n');
}

/** The content of a section as markdown. */
export function contentText(content: string | readonly string[]): string {
  return typeof content === 'string' ? content : content.map((entry) => `- ${entry}`).join('\n');
}

/** Characters of a part of the digest. */
const DIGEST_PART = 130;

/** Objective, state, first blocker, next action and the newest findings, in about 500 characters; empty: nothing. */
export function journalDigest(journal: Journal): string {
  const part = (name: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : [`${name}: ${cut(text, DIGEST_PART - name.length)}`];
  const lines = [
    ...part('Objective', journal.objective),
    ...part('State', journal.current_state),
    ...part('Blocker', journal.blockers[0]),
    ...part('Next', journal.handoff_next_action),
  ];
  let left = DIGEST_LENGTH - lines.join('\n').length;
  for (const finding of journal.verified_findings.toReversed()) {
    const line = `Found: ${cut(finding, DIGEST_PART - 'Found'.length)}`;
    if (line.length + 1 > left) break;
    left -= line.length + 1;
    lines.push(line);
  }
  return lines.join('\n');
}

function cut(text: string, characters: number): string {
  const line = oneLine(text);
  return line.length <= characters ? line : `${line.slice(0, characters - 1).toWellFormed()}…`;
}

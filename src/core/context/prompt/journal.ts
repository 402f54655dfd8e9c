import { type Journal, isEmptyJournal, journalText } from '../../../domain/session/journal.ts';
import type { Message } from '../../../domain/message.ts';

const HEAD =
  'The run journal, in full: what you wrote down before this run stopped or was cut off, and what the person changed in it. Go on from it; do not find out again what is verified.';

/**
 * The message with the whole journal for a run that goes on, stored as origin `journal` (C10). `undefined`: it is
 * empty, or the model has it before it already.
 */
export function journalNote(
  journal: Journal,
  messages: readonly Pick<Message, 'origin' | 'parts'>[],
): string | undefined {
  if (isEmptyJournal(journal)) return undefined;
  // Nothing in it ends the note that it stands in.
  const text = `<journal>\n${HEAD}\n\n${journalText(journal).replaceAll('</', '< /')}\n</journal>`;
  const [told] = messages.findLast(({ origin }) => origin === 'journal')?.parts ?? [];
  return told?.type === 'text' && told.text === text ? undefined : text;
}

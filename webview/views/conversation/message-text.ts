import type { PartView } from '../../../src/protocol/view.ts';
import type { MessageEntry } from '../../transcript.ts';
import { messageRow } from './message-row.ts';

/** The texts of a message, as they were written. */
export function textOf(entry: MessageEntry): string {
  return entry.parts.value
    .map((part) => part.value)
    .flatMap((view) => (view.type === 'text' && view.text !== '' ? [view.text] : []))
    .join('\n\n');
}

/** A message in markdown: its texts as they were written, its calls and mentions in a line each. */
export function markdownOf(entry: MessageEntry): string {
  return entry.parts
    .peek()
    .flatMap((part) => markdownPart(part.peek()))
    .join('\n\n')
    .replaceAll(/(?<=^|\n)(- [^\n]*)\n\n(?=- )/gu, '$1\n');
}

function markdownPart(view: PartView): readonly string[] {
  switch (view.type) {
    case 'text':
      return view.text === '' ? [] : [view.text];
    case 'tool': {
      const subject = view.subject === '' ? '' : ` ${asCode(view.subject)}`;
      return [`- ${view.title}${subject}${view.note === '' ? '' : ` (${view.note})`}`];
    }
    case 'mention':
      return [`- @${view.mention.label} ${asCode(view.mention.detail)}`];
    case 'image_url':
      return [`- <${view.url}>`];
    case 'binary':
      return [`- ${view.name ?? view.mediaType}`];
    case 'reasoning':
    case 'finish':
      return [];
    default:
      return view satisfies never;
  }
}

/** A text in as many marks as it needs. */
function asCode(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map(({ length }) => length));
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${marks} ${line} ${marks}`;
}

/** The texts of a message as they are shown: an answer without its marks. */
export function shownText(entry: MessageEntry): string {
  const row = messageRow(document, entry.id);
  const blocks = [...(row?.querySelectorAll('.markdown > * > *, .markdown > figure') ?? [])];
  // A part that is not laid out because it is out of sight has no text.
  row?.classList.add('is-read');
  const texts = blocks.map((block) => {
    // A code block without its head.
    const shown = block.matches('figure') ? (block.querySelector('pre') ?? block) : block;
    return shown instanceof HTMLElement ? shown.innerText.trim() : (shown.textContent ?? '').trim();
  });
  row?.classList.remove('is-read');
  return texts.length === 0 ? textOf(entry) : texts.filter((text) => text !== '').join('\n\n');
}

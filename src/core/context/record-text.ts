import { canonicalJson } from '../../domain/data/json.ts';
import type { Message, Part } from '../../domain/message.ts';
import { shorten } from './compaction/shorten.ts';
import { isRequest } from './window.ts';

/** Characters a call's arguments and a text may have, for each character of a result's share. */
const TEXT_FACTOR = 2;

/** Lengths of short results, tried before the oldest messages are left out. */
const RESULT_CHARACTERS = [2000, 800, 300, 120];

function partText(part: Part, characters: number): string {
  switch (part.type) {
    case 'text':
      return shorten(part.text, characters * TEXT_FACTOR);
    case 'tool_call':
      return `[call ${part.name} ${shorten(canonicalJson(part.input), characters)}]`;
    case 'tool_result': {
      const text = part.content
        .map((content) => (content.type === 'text' ? content.text : `[${content.mediaType}]`))
        .join('\n');
      return `[result of ${part.name}: ${part.state}]\n${shorten(text, characters)}`;
    }
    case 'binary':
      return `[attached: ${part.name ?? part.mediaType}]`;
    case 'image_url':
      return '[attached: an image]';
    case 'reasoning':
    case 'finish':
      return '';
    default:
      return part satisfies never;
  }
}

function speaker(message: Message): string {
  if (message.role === 'assistant') return 'ASSISTANT';
  if (message.role === 'tool') return 'TOOLS';
  return isRequest(message) ? 'PERSON' : 'NOTE';
}

function messageText(message: Message, characters: number): string {
  const text = message.parts
    .map((part) => partText(part, characters))
    .filter((part) => part !== '')
    .join('\n');
  return text === '' ? '' : `${speaker(message)}:\n${text}`;
}

/**
 * The messages as plain text of at most `limit` characters, for the model that summarizes: results
 * are shortened first, then the oldest messages are left out, and the text says so.
 */
export function recordText(messages: readonly Message[], limit: number): string {
  let texts: string[] = [];
  for (const characters of RESULT_CHARACTERS) {
    texts = messages
      .map((message) => messageText(message, characters))
      .filter((text) => text !== '');
    const total = texts.reduce((sum, text) => sum + text.length + 2, 0);
    if (total <= limit) return texts.join('\n\n');
  }
  const notice = '[The oldest messages are left out here.]';
  let left = limit - notice.length;
  let start = texts.length;
  while (start > 0 && left >= (texts[start - 1] ?? '').length + 2) {
    start -= 1;
    left -= (texts[start] ?? '').length + 2;
  }
  return [notice, ...texts.slice(start)].join('\n\n');
}

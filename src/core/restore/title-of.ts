import { type Message, typedTextOf } from '../../domain/message.ts';

/** Characters of a title. */
const MAX_CHARS = 60;

export function titleOf(message: Pick<Message, 'parts'>): string {
  const line = typedTextOf(message).trim().split('\n', 1)[0] ?? '';
  const words = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line;
  return words === '' ? 'a message without text' : words;
}

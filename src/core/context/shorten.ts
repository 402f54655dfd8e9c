import type { Message, ResultContent, ToolResultPart } from '../../domain/message.ts';

/** Share of what is kept that comes from the beginning. */
const HEAD = 0.7;

/**
 * Characters that the notice may add. A text is left alone when cutting it would save no more than
 * that; so a text that was shortened once stays as it is.
 */
const NOTICE_CHARACTERS = 100;

/** Cuts a text in the middle, at whole characters, and says how much is missing. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters + NOTICE_CHARACTERS) return text;
  const head = text.slice(0, Math.ceil(characters * HEAD)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(characters * (1 - HEAD))).toWellFormed();
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out to save context; read it again if you need it …]\n${tail}`;
}

function shortenResult(result: ToolResultPart, characters: number): ToolResultPart {
  const content: readonly ResultContent[] = result.content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: shorten(part.text, characters) }
      : { type: 'text', text: `[${part.mediaType} left out to save context]` },
  );
  return { ...result, content };
}

const shortened = new WeakMap<
  Message,
  { readonly characters: number; readonly message: Message }
>();

/** The same message with its tool results shortened; the same object for the same question. */
export function withShortResults(message: Message, characters: number): Message {
  if (!message.parts.some((part) => part.type === 'tool_result')) return message;
  const known = shortened.get(message);
  if (known?.characters === characters) return known.message;
  const short: Message = {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool_result' ? shortenResult(part, characters) : part,
    ),
  };
  shortened.set(message, { characters, message: short });
  return short;
}

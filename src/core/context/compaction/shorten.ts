import type { Json, JsonObject } from '../../../domain/data/json.ts';
import type { Message, Part, ResultContent, ToolResultPart } from '../../../domain/message.ts';

/** Share of what is kept that comes from the beginning. */
const HEAD = 0.7;

/** Characters that the notice may add; cutting no more is left, so shortened texts stay. */
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

/** The texts of an input, a whole written file for one, shortened at any depth. */
function shortenInput(value: Json, characters: number): Json {
  if (typeof value === 'string') return shorten(value, characters);
  if (Array.isArray(value)) return value.map((item: Json) => shortenInput(item, characters));
  if (typeof value !== 'object' || value === null) return value;
  return shortenFields(value as JsonObject, characters);
}

function shortenFields(fields: JsonObject, characters: number): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, shortenInput(value, characters)]),
  );
}

function shortenPart(part: Part, characters: number): Part {
  if (part.type === 'tool_result') return shortenResult(part, characters);
  if (part.type !== 'tool_call') return part;
  return JSON.stringify(part.input).length <= characters + NOTICE_CHARACTERS
    ? part
    : { ...part, input: shortenFields(part.input, characters) };
}

const shortened = new WeakMap<
  Message,
  { readonly characters: number; readonly message: Message }
>();

/** The same message with its tool calls and results shortened; the same object for the same question. */
export function withShortTools(message: Message, characters: number): Message {
  if (!message.parts.some(({ type }) => type === 'tool_result' || type === 'tool_call'))
    return message;
  const known = shortened.get(message);
  if (known?.characters === characters) return known.message;
  const parts = message.parts.map((part) => shortenPart(part, characters));
  const short: Message = parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts };
  shortened.set(message, { characters, message: short });
  return short;
}

const shortTexts = new WeakMap<
  Message,
  { readonly characters: number; readonly message: Message }
>();

/** The same message with its texts shortened; the same object for the same question. */
export function withShortTexts(message: Message, characters: number): Message {
  const known = shortTexts.get(message);
  if (known?.characters === characters) return known.message;
  const parts = message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: shorten(part.text, characters) } : part,
  );
  const short: Message = { ...message, parts };
  shortTexts.set(message, { characters, message: short });
  return short;
}

import type {
  BinaryPart,
  Message,
  Part,
  ReasoningPart,
  ToolResultPart,
} from '../../domain/message.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { Json } from '../../domain/data/json.ts';
import { replayFor } from '../../domain/models/replay.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { utf8 } from '../http/bytes.ts';
import { textOr } from '../http/fields.ts';
import { isImage, isPdf, mediaText, realType } from '../http/request/media.ts';
import { resultText } from '../http/request/result-text.ts';
import { plainName } from '../http/request/usable-tools.ts';
import { wellFormed } from '../http/request/well-formed.ts';
import type { WireIds } from '../http/request/wire-ids.ts';
import type { WireFlags } from '../../domain/models/wire-flags.ts';

/** Characters of a tool's name. */
export const LONGEST_NAME = 64;

/** How messages are written: what the server and the model take, and whose thinking may be replayed. */
export interface ChatForm {
  readonly flags: WireFlags;
  readonly vision: boolean;
  readonly owner: ReplayOwner;
  readonly ids: WireIds;
}

/** A piece of what a person says: text, or something to look at in the API's form. */
export type UserItem = { readonly text: string } | { readonly media: object };

/** A message in the API's form; several of the person in a row become one. */
export type ChatEntry =
  | { readonly role: 'user'; readonly items: readonly UserItem[] }
  | { readonly role: 'assistant'; readonly bytes: Uint8Array }
  /** `id` and `text` too, to write it anew with a mark for the cache. */
  | {
      readonly role: 'tool';
      readonly id: string;
      readonly text: string;
      readonly bytes: Uint8Array;
    };

/** The API's form of messages, kept as long as the message object lives and is written in the same form. */
export class ChatMessages {
  readonly #known = new WeakMap<
    Message,
    { readonly form: ChatForm; readonly entries: readonly ChatEntry[] }
  >();

  of(message: Message, form: ChatForm): readonly ChatEntry[] {
    const known = this.#known.get(message);
    if (known !== undefined && isSameForm(known.form, form)) return known.entries;
    const entries = entriesOf(message, form);
    this.#known.set(message, { form, entries });
    return entries;
  }
}

const isSameForm = (left: ChatForm, right: ChatForm): boolean =>
  left.flags === right.flags &&
  left.vision === right.vision &&
  left.ids === right.ids &&
  left.owner.model === right.owner.model;

function entriesOf(message: Message, form: ChatForm): readonly ChatEntry[] {
  if (message.role === 'assistant') return answerEntry(message.parts, form);
  const results = message.parts.filter((part) => part.type === 'tool_result');
  const items = [
    ...results.flatMap((result) => mediaOf(result, form)),
    ...message.parts.flatMap((part) => itemsOf(part, form)),
  ];
  return [
    ...results.map((result) => resultEntry(result, form)),
    ...(items.length === 0 ? [] : [{ role: 'user', items } as const]),
  ];
}

/** An answer: its content is a text, never a list, and `''` rather than `null` unless the server wants that. */
function answerEntry(parts: readonly Part[], form: ChatForm): readonly ChatEntry[] {
  const { flags } = form;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [
          {
            id: form.ids.of(part.id),
            type: 'function',
            function: {
              name: plainName(part.name, LONGEST_NAME),
              arguments: JSON.stringify(wellFormed(part.input)),
            },
            ...extraOf(replayFor(part, form.owner)),
          },
        ]
      : [],
  );
  if (text.trim() === '' && calls.length === 0) return [];
  const message = {
    role: 'assistant',
    content: text === '' && flags.emptyContent === 'null' ? null : text.toWellFormed(),
    ...thinkingFields(parts, form),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return [{ role: 'assistant', bytes: utf8(JSON.stringify(message)) }];
}

const extraOf = (replay: Json | undefined): object =>
  isJsonObject(replay) && replay['extra_content'] !== undefined
    ? { extra_content: replay['extra_content'] }
    : {};

/** Thinking in the fields it came in, to the model that wrote it; an empty one for servers that want it always. */
function thinkingFields(
  parts: readonly Part[],
  { flags, owner }: ChatForm,
): Readonly<Record<string, Json>> {
  if (flags.reasoning === 'never') return {};
  const fields: Record<string, Json> =
    flags.reasoning === 'always' ? { reasoning_content: '' } : {};
  const own = parts.filter((part): part is ReasoningPart => part.type === 'reasoning');
  for (const part of own) {
    const replay = replayFor(part, owner);
    if (!isJsonObject(replay)) continue;
    const { field, details } = replay;
    if (typeof field === 'string') fields[field] = textOr(fields[field]) + part.text;
    if (isList(details) && details.length > 0)
      fields['reasoning_details'] = [
        ...((fields['reasoning_details'] ?? []) as Json[]),
        ...details,
      ];
  }
  return fields;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function resultEntry(result: ToolResultPart, form: ChatForm): ChatEntry {
  const text = resultText(result, (item) => isShown(item, form));
  const id = form.ids.of(result.callId);
  return { role: 'tool', id, text, bytes: toolBytes(id, text) };
}

/** A result as the API has it. `content`: text, or a list where it holds a mark for the cache. */
export const toolBytes = (id: string, content: string | readonly object[]): Uint8Array =>
  utf8(JSON.stringify({ role: 'tool', tool_call_id: id, content }));

/** Results hold text only: what there is to look at follows in a message of its own, after all of them. */
function mediaOf(result: ToolResultPart, form: ChatForm): readonly UserItem[] {
  const shown = result.content.filter((item) => item.type === 'binary' && isShown(item, form));
  if (shown.length === 0) return [];
  return [
    { text: `What ${result.name} gave to look at:` },
    ...shown.flatMap((item) => itemsOf(item, form)),
  ];
}

const isShown = (part: BinaryPart, { flags, vision }: ChatForm): boolean =>
  (isImage(part) && vision) || (isPdf(part) && flags.pdf);

function itemsOf(part: Part, form: ChatForm): readonly UserItem[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ text: part.text.toWellFormed() }];
    case 'image_url':
      return form.vision && part.url.startsWith('https://')
        ? [image(part.url.toWellFormed())]
        : [{ text: `[image at ${part.url}]`.toWellFormed() }];
    case 'binary':
      return [isShown(part, form) ? shownMedia(part) : { text: mediaText(part).toWellFormed() }];
    case 'reasoning':
    case 'tool_call':
    case 'tool_result':
    case 'finish':
      return [];
    default:
      return part satisfies never;
  }
}

const image = (url: string): UserItem => ({ media: { type: 'image_url', image_url: { url } } });

function shownMedia(part: BinaryPart): UserItem {
  const url = `data:${isPdf(part) ? part.mediaType : realType(part)};base64,${part.data}`;
  if (!isPdf(part)) return image(url);
  const filename = (part.name ?? 'file.pdf').toWellFormed();
  return { media: { type: 'file', file: { filename, file_data: url } } };
}

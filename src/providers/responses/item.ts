import type { BinaryPart, Message, Part, ToolResultPart } from '../../domain/message.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { replayFor } from '../../domain/models/replay.ts';
import type { ReplayOwner } from '../../domain/models/replay.ts';
import { utf8 } from '../http/bytes.ts';
import { isImage, isPdf, mediaText, realType } from '../http/request/media.ts';
import { resultText } from '../http/request/result-text.ts';
import { plainName } from '../http/request/usable-tools.ts';
import { wellFormed } from '../http/request/well-formed.ts';
import type { WireIds } from '../http/request/wire-ids.ts';

/** Characters of a tool's name. */
export const LONGEST_NAME = 64;

/** How messages become items: what the server and the model take, and whose reasoning may be replayed. */
export interface ItemForm {
  readonly vision: boolean;
  readonly pdf: boolean;
  readonly owner: ReplayOwner;
  readonly ids: WireIds;
}

/** Items of a request's `input`, in the order of the conversation. */
export interface WrittenItems {
  readonly bytes: readonly Uint8Array[];
  /** The model's own words or calls are the last of them. */
  readonly endsWithAnswer: boolean;
}

/** The items of one message. */
export function writtenItems(message: Message, form: ItemForm): WrittenItems {
  const isAnswer = message.role === 'assistant';
  const items = isAnswer ? answerItems(message.parts, form) : inputItems(message.parts, form);
  return {
    bytes: items.map((item) => utf8(JSON.stringify(item))),
    endsWithAnswer: isAnswer && items.length > 0,
  };
}

/**
 * The items of an answer. Reasoning must have the item that followed it, and items with ids must have their
 * reasoning: where any of it is another model's or cannot be replayed, all goes without both.
 */
function answerItems(parts: readonly Part[], { owner, ids }: ItemForm): readonly object[] {
  const isOwn = parts.every(
    (part) => part.type !== 'reasoning' || replayFor(part, owner) !== undefined,
  );
  const replayed = (part: Part): object => {
    const data = isOwn && 'replay' in part ? replayFor(part, owner) : undefined;
    return isJsonObject(data) ? data : {};
  };
  const end = parts.findLastIndex(({ type }) => type === 'text' || type === 'tool_call');
  return parts.slice(0, end + 1).flatMap((part) => {
    switch (part.type) {
      case 'reasoning':
        return isOwn ? [replayed(part)] : [];
      case 'text': {
        if (part.text.trim() === '') return [];
        const content = { type: 'output_text', text: part.text.toWellFormed(), annotations: [] };
        return [{ type: 'message', role: 'assistant', ...replayed(part), content: [content] }];
      }
      case 'tool_call':
        return [
          {
            type: 'function_call',
            ...replayed(part),
            call_id: ids.of(part.id),
            name: plainName(part.name, LONGEST_NAME),
            arguments: JSON.stringify(wellFormed(part.input)),
          },
        ];
      default:
        return [];
    }
  });
}

/** Results first, then what a person says, as one message. */
function inputItems(parts: readonly Part[], form: ItemForm): readonly object[] {
  const results = parts.filter((part) => part.type === 'tool_result');
  const content = parts.flatMap((part) => contentOf(part, form));
  return [
    ...results.map((result) => resultItem(result, form)),
    ...(content.length === 0 ? [] : [userItem(content)]),
  ];
}

/** A message of the person. */
export const userItem = (content: readonly object[]): object => ({
  type: 'message',
  role: 'user',
  content,
});

export const inputText = (text: string): object => ({
  type: 'input_text',
  text: text.toWellFormed(),
});

function resultItem(result: ToolResultPart, form: ItemForm): object {
  const shown = result.content.filter((item) => item.type === 'binary' && isShown(item, form));
  const text = resultText(result, (item) => isShown(item, form));
  return {
    type: 'function_call_output',
    call_id: form.ids.of(result.callId),
    output:
      shown.length === 0
        ? text
        : [inputText(text), ...shown.flatMap((item) => contentOf(item, form))],
  };
}

const isShown = (part: BinaryPart, { vision, pdf }: ItemForm): boolean =>
  (isImage(part) && vision) || (isPdf(part) && pdf);

/** Content of a message of the person. */
function contentOf(part: Part, form: ItemForm): readonly object[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [inputText(part.text)];
    case 'image_url':
      return form.vision && part.url.startsWith('https://')
        ? [image(part.url.toWellFormed())]
        : [inputText(`[image at ${part.url}]`)];
    case 'binary':
      return [isShown(part, form) ? media(part) : inputText(mediaText(part))];
    case 'reasoning':
    case 'tool_call':
    case 'tool_result':
    case 'finish':
      return [];
    default:
      return part satisfies never;
  }
}

const image = (url: string): object => ({ type: 'input_image', image_url: url, detail: 'auto' });

function media(part: BinaryPart): object {
  if (!isPdf(part)) return image(`data:${realType(part)};base64,${part.data}`);
  const filename = (part.name ?? 'file.pdf').toWellFormed();
  const url = `data:${part.mediaType};base64,${part.data}`;
  return { type: 'input_file', filename, file_data: url };
}

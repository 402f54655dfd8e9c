import { textOf } from '../../domain/message.ts';
import type {
  BinaryPart,
  ImageUrlPart,
  Message,
  Part,
  ResultContent,
  TextPart,
  ToolResultPart,
} from '../../domain/message.ts';
import { imageSize } from './image-size.ts';

/** A change of one message; gives the same object when there is nothing to change. */
export type Lighten = (message: Message) => Message;

/** Applies a change to each part: it may become another part, several or none. */
function eachPart(change: (part: Part) => readonly Part[]): Lighten {
  return (message) => {
    const parts = message.parts.flatMap(change);
    const isSame =
      parts.length === message.parts.length &&
      parts.every((part, index) => part === message.parts[index]);
    return isSame ? message : { ...message, parts };
  };
}

/** Without thinking, and what is replayed with other parts: for a history whose signatures are no longer accepted. */
export const withoutThinking: Lighten = eachPart((part) => {
  if (part.type === 'reasoning') return [];
  if (!('replay' in part)) return [part];
  const { replay: _, ...rest } = part;
  return [rest];
});

/** Calls and results as plain text: nothing is left that must be paired. */
export const withoutPairs: Lighten = (message) => {
  const flat = eachPart((part) => {
    if (part.type === 'tool_call')
      return [{ type: 'text', text: `[called ${part.name} with ${JSON.stringify(part.input)}]` }];
    if (part.type !== 'tool_result') return [part];
    const media = part.content.filter((item): item is BinaryPart => item.type === 'binary');
    return [
      { type: 'text', text: `[result of ${part.name}]\n${textOf({ parts: part.content })}` },
      ...media,
    ];
  })(message);
  return flat !== message && flat.role === 'tool' ? { ...flat, role: 'user' } : flat;
};

/** Parts that are more than text: an image, a PDF. */
type Media = BinaryPart | ImageUrlPart;

const isMedia = (part: Part): part is Media => part.type === 'binary' || part.type === 'image_url';

const note = (part: Media): TextPart => {
  const name = part.type === 'image_url' ? part.url : (part.name ?? part.mediaType);
  return { type: 'text', text: `[${name} left out: the model does not take it]` };
};

export const hasMedia = ({ parts }: Message): boolean =>
  parts.some(
    (part) => isMedia(part) || (part.type === 'tool_result' && part.content.some(isMedia)),
  );

/** Without the images and PDFs for which `drop` is true; a note stands in for each. */
export function withoutMedia(drop: (media: Media) => boolean): Lighten {
  const isDropped = (part: Part): part is Media => isMedia(part) && drop(part);
  const inResult = (item: ResultContent): ResultContent => (isDropped(item) ? note(item) : item);
  return eachPart((part) => {
    if (isDropped(part)) return [note(part)];
    if (part.type !== 'tool_result' || !part.content.some(isDropped)) return [part];
    return [{ ...part, content: part.content.map(inResult) } satisfies ToolResultPart];
  });
}

/** True for an image of more bytes than that. */
export const heavierThan =
  (maxBytes: number) =>
  (media: Media): boolean =>
    media.type === 'binary' && Math.floor((media.data.length * 3) / 4) > maxBytes;

export const largerThan =
  (maxSide: number) =>
  (media: Media): boolean => {
    const size = media.type === 'binary' ? imageSize(media.data) : undefined;
    return size !== undefined && Math.max(size.width, size.height) > maxSide;
  };

/** Characters of a giant result that stay, at its beginning and at its end. */
const HEAD = 4000;
const TAIL = 2000;

/** Giant tool results cut to their beginning and end. */
export const withShortResults: Lighten = eachPart((part) => {
  if (part.type !== 'tool_result' || !part.content.some(isGiant)) return [part];
  return [
    {
      ...part,
      content: part.content.map((item) => (isGiant(item) ? shortened(item) : item)),
    } satisfies ToolResultPart,
  ];
});

const isGiant = (item: ResultContent): item is TextPart =>
  item.type === 'text' && item.text.length > 3 * (HEAD + TAIL);

const shortened = ({ text }: TextPart): TextPart => ({
  type: 'text',
  text: `${text.slice(0, HEAD)}\n[… ${text.length - HEAD - TAIL} characters left out: the request was too large …]\n${text.slice(-TAIL)}`.toWellFormed(),
});

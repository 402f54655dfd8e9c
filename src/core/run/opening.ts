import { base64Of, bytesFromBase64 } from '../../domain/base64.ts';
import type { Part } from '../../domain/message.ts';
import type { Checkpoint, Run } from '../../domain/run.ts';
import { isSameMention } from '../../domain/mention.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Attachment } from '../../domain/session.ts';

export type Opening =
  | {
      readonly kind: 'message';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** The queued message it was, which leaves the queue in the same transaction. */
      readonly queuedId?: string;
    }
  /** Goes on after a cap, a limit or a failure (D1). */
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'resume';
      readonly run: Run;
      readonly checkpoint: Checkpoint | undefined;
      /** A note for the model before it goes on. */
      readonly note?: string;
    };

/** The note when a part of the record was lost: what the model sees may be behind what was done. */
export const DAMAGED_TEXT =
  'The record of this conversation was damaged when Belay ended: the last steps may be missing here although they were carried out. Check the present state of things before you go on or repeat anything.';

/** The request when the person chose Continue and the last word was the model's own. */
export const CONTINUE_TEXT = 'Go on with the task from where you stopped.';

/** A message's parts: text, images, other files by name (A6); hidden characters in sight. */
export function partsOf(text: string, attachments: readonly Attachment[]): Part[] {
  const parts: Part[] = [];
  if (text.trim() !== '') parts.push({ type: 'text', text: cleanText(text) });
  for (const { name, mediaType, size, path, data, mention, taken } of attachments) {
    if (mention !== undefined) {
      const nothing = [{ type: 'text' as const, text: `@${mention.label} was not included.` }];
      parts.push(...(taken ?? nothing).map((part) => ({ ...part, mention })));
    } else if (
      data !== undefined &&
      (mediaType.startsWith('image/') || mediaType === 'application/pdf')
    ) {
      parts.push({ type: 'binary', mediaType, data, name });
    } else if (path !== undefined) {
      parts.push({
        type: 'text',
        text: cleanText(
          `Attached file: ${path} (${mediaType}, ${size} bytes). Read it with read_file.`,
        ),
      });
    } else if (data !== undefined) {
      parts.push({
        type: 'text',
        text: cleanText(
          `Attached file ${name} (${mediaType}):\n${new TextDecoder().decode(bytesFromBase64(data))}`,
        ),
      });
    }
  }
  return parts;
}

export interface Asked {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

const FILE_BY_NAME =
  /^Attached file: (?<path>[\s\S]+) \((?<type>[^()]*), (?<size>\d+) bytes\)\. Read it with read_file\.$/u;
const FILE_AS_TEXT = /^Attached file (?<name>.+?) \((?<type>[^()\n]*)\):\n(?<text>[\s\S]*)$/u;

/** The way back from `partsOf`; `id` gives new ones to attachments. */
export function askedOf(parts: readonly Part[], id: (index: number) => string): Asked {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of parts) {
    const attachment = attachmentOf(part, id(attachments.length));
    const mention = attachment?.mention;
    // One mention may have given several parts.
    if (mention !== undefined && isSameMention(attachments.at(-1)?.mention, mention)) continue;
    if (attachment !== undefined) attachments.push(attachment);
    else if (part.type === 'text') texts.push(part.text);
    else if (part.type === 'image_url') texts.push(part.url);
  }
  return { text: texts.join('\n\n'), attachments };
}

/** Name and text of a file that was attached as text; `undefined`: the part is something else. */
export function attachedText(
  text: string,
): { readonly name: string; readonly text: string } | undefined {
  const { name, text: content } = FILE_AS_TEXT.exec(text)?.groups ?? {};
  return name === undefined || content === undefined ? undefined : { name, text: content };
}

function attachmentOf(part: Part, id: string): Attachment | undefined {
  // It is taken anew when the message is sent again.
  if ((part.type === 'text' || part.type === 'binary') && part.mention !== undefined) {
    const { mention } = part;
    return { id, name: mention.source, mediaType: 'text/plain', size: 0, mention };
  }
  const found = part.type === 'text' ? fileIn(part.text, id) : undefined;
  if (part.type === 'binary') {
    const { name = 'attachment', mediaType, data } = part;
    return { id, name, mediaType, size: Math.floor((data.length * 3) / 4), data };
  }
  // Text that only looks like an attachment stays text.
  const again = found === undefined ? undefined : partsOf('', [found])[0];
  return JSON.stringify(again) === JSON.stringify(part) ? found : undefined;
}

function fileIn(text: string, id: string): Attachment | undefined {
  const named = FILE_BY_NAME.exec(text)?.groups;
  if (named !== undefined) {
    const { path = '', type: mediaType = '', size } = named;
    return { id, name: path.split(/[/\\]/u).at(-1) ?? path, mediaType, size: Number(size), path };
  }
  const inline = FILE_AS_TEXT.exec(text)?.groups;
  if (inline === undefined) return undefined;
  const { name = '', type: mediaType = '', text: content = '' } = inline;
  const bytes = new TextEncoder().encode(content);
  return { id, name, mediaType, size: bytes.length, data: base64Of(bytes) };
}

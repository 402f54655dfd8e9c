import { base64Of, bytesFromBase64 } from '../../domain/data/base64.ts';
import { ATTACHED, type Mention } from '../../domain/mention.ts';
import type { Part } from '../../domain/message.ts';
import type { Attachment } from '../../domain/session/session.ts';
import { cleanText } from '../../domain/text/honest-text.ts';
import type { Write } from '../ports/store/recorder.ts';

/** Bytes of a text that goes along with its message; of a larger one only its name does. */
const INLINE = 16_000;
const LONGEST_NAME = 200;

/** An attachment as the model is told of it (A6): id, size, type and how to read it; pictures, documents and short texts with it. */
export function attachedParts(attachment: Attachment): readonly Part[] {
  const { id, size, data, path } = attachment;
  const name = nameOf(attachment);
  const mediaType = mediaTypeOf(attachment);
  const mention: Mention = {
    source: ATTACHED,
    ref: id,
    label: name,
    detail: `${mediaType}, ${size} bytes`,
    icon: mediaType.startsWith('image/') ? 'file-media' : 'file',
    tokens: null,
  };
  const head = `Attached file: ${name} (id ${id}, ${mediaType}, ${size} bytes).`;
  const told = (rest: string): Part => ({ type: 'text', text: `${head}${rest}`, mention });
  if (data !== undefined && (mediaType.startsWith('image/') || mediaType === 'application/pdf'))
    return [
      told(' It follows; read_attachment reads it again.'),
      { type: 'binary', mediaType, data, name, mention },
    ];
  const text = data === undefined ? undefined : inlineText(data);
  if (text !== undefined) return [told(` Its content:\n${cleanText(text)}`)];
  return data === undefined && path === undefined
    ? [told(' It is not there any more.')]
    : [told(' Read it with read_attachment.')];
}

function nameOf({ name }: Attachment): string {
  return cleanText(name).replaceAll(/\s+/gu, ' ').trim().slice(0, LONGEST_NAME) || 'file';
}

function mediaTypeOf({ mediaType }: Attachment): string {
  return /^[\w.+-]+\/[\w.+-]+$/u.test(mediaType) ? mediaType : 'application/octet-stream';
}

/** `undefined`: it is no text, or a long one. */
function inlineText(data: string): string | undefined {
  if (data.length > (INLINE / 3) * 4) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesFromBase64(data));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const TOLD =
  /^Attached file: .* \(id [^()]*, (?<type>[^(),]*), (?<size>\d+) bytes\)\. (?:Its content:\n(?<text>[\s\S]*)$|)/u;

/** The way back: the attachment of a part that stands for one, with its content where that is in it. */
export function attachmentIn(part: Part): Attachment | undefined {
  if ((part.type !== 'text' && part.type !== 'binary') || part.mention?.source !== ATTACHED)
    return undefined;
  const { ref: id, label: name } = part.mention;
  if (part.type === 'binary') {
    const { mediaType, data } = part;
    return { id, name, mediaType, size: Math.floor((data.length * 3) / 4), data };
  }
  const { type: mediaType = '', size, text } = TOLD.exec(part.text)?.groups ?? {};
  const data = text === undefined ? {} : { data: base64Of(new TextEncoder().encode(text)) };
  return { id, name, mediaType, size: Number(size ?? 0), ...data };
}

const WITH_TEXT =
  /^Attached file:? (?<name>.+?) \([^()\n]*\)(?:\. Its content)?:\n(?<text>[\s\S]*)$/u;

/** Name and text of a file that was attached as text; `undefined`: the part is something else. */
export function attachedText(
  text: string,
): { readonly name: string; readonly text: string } | undefined {
  const { name, text: content } = WITH_TEXT.exec(text)?.groups ?? {};
  return name === undefined || content === undefined ? undefined : { name, text: content };
}

/** The records of a message's files. One that is on disk is read there. */
export function attachmentWrites(
  sessionId: string,
  attachments: readonly Attachment[],
): readonly Write[] {
  return attachments.flatMap((attachment): Write | readonly Write[] => {
    const { mention, path, data, ...rest } = attachment;
    if (mention !== undefined || (path === undefined && data === undefined)) return [];
    const content = path === undefined ? { data } : { path };
    return { kind: 'attachment', sessionId, attachment: { ...rest, ...content } as Attachment };
  });
}

import type { Message, Part } from '../../../domain/message.ts';

export interface MessageSize {
  /** All text that is sent. */
  readonly text: string;
  /** Tokens of images and documents. */
  readonly mediaTokens: number;
}

/** Tokens of an image at the largest size that is not scaled down (Anthropic: width × height / 750). */
const IMAGE_TOKENS = 1600;
/** Tokens of a sentence in place of bytes that models do not take. */
const NAMED_TOKENS = 30;
/** Bytes of a document for each token; a page of a PDF is some 50 kB and 2,000 tokens. */
const DOCUMENT_BYTES_PER_TOKEN = 25;

function mediaTokens(mediaType: string, data: string): number {
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS;
  if (mediaType.startsWith('audio/')) return NAMED_TOKENS;
  return Math.max(IMAGE_TOKENS, Math.ceil((data.length * 3) / 4 / DOCUMENT_BYTES_PER_TOKEN));
}

function sizeOfPart(part: Part): { readonly text: string; readonly media: number } {
  switch (part.type) {
    case 'text':
      return { text: part.text, media: 0 };
    case 'reasoning':
      return {
        text:
          part.text === '' && part.replay !== undefined
            ? JSON.stringify(part.replay.data)
            : part.text,
        media: 0,
      };
    case 'tool_call':
      return { text: `${part.name} ${JSON.stringify(part.input)}`, media: 0 };
    case 'tool_result': {
      let text = '';
      let media = 0;
      for (const content of part.content) {
        if (content.type === 'text') text += content.text;
        else media += mediaTokens(content.mediaType, content.data);
      }
      return { text, media };
    }
    case 'binary':
      return { text: '', media: mediaTokens(part.mediaType, part.data) };
    case 'image_url':
      return { text: '', media: IMAGE_TOKENS };
    case 'finish':
      return { text: '', media: 0 };
    default:
      return part satisfies never;
  }
}

export function sizeOf(message: Pick<Message, 'parts'>): MessageSize {
  const sizes = message.parts.map(sizeOfPart);
  return {
    text: sizes
      .map((size) => size.text)
      .filter((text) => text !== '')
      .join('\n'),
    mediaTokens: sizes.reduce((sum, size) => sum + size.media, 0),
  };
}

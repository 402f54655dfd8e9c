import type { BinaryPart, ToolResultPart } from '../../domain/message.ts';
import type { BinaryView, MediaView } from '../../protocol/view.ts';

/** Bytes up to this many base64 characters are sent at once; bigger ones when they are looked at. */
const INLINE = 200_000;

export function binaryView(part: BinaryPart): BinaryView {
  const padding = part.data.endsWith('==') ? 2 : part.data.endsWith('=') ? 1 : 0;
  return {
    type: 'binary',
    mediaType: part.mediaType,
    size: Math.max(0, (part.data.length / 4) * 3 - padding),
    ...(part.name === undefined ? {} : { name: part.name }),
    ...(part.data.length <= INLINE ? { data: part.data } : {}),
  };
}

/** Pictures and sounds of a result. */
export const mediaOf = ({ content }: Pick<ToolResultPart, 'content'>): readonly MediaView[] =>
  content.flatMap((part, index) =>
    part.type === 'binary' ? [{ ...binaryView(part), index }] : [],
  );

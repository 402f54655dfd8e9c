import type { BinaryPart } from '../../../domain/message.ts';

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Base64 of the first bytes of each kind of image. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** The kind of an image by its bytes: the API refuses one that is called by another name. */
export const realType = ({ mediaType, data }: BinaryPart): string =>
  SIGNATURES.find(([start]) => data.startsWith(start))?.[1] ?? mediaType;

/** True for an image that models take. */
export const isImage = ({ mediaType }: BinaryPart): boolean => IMAGES.has(mediaType);

export const isPdf = ({ mediaType }: BinaryPart): boolean => mediaType === 'application/pdf';

/** The name of a file for the model. */
const nameOf = ({ name }: BinaryPart): string => (name ?? 'file').toWellFormed();

/** Text that the model reads in place of bytes: theirs, or that they cannot be shown. */
export function mediaText(part: BinaryPart): string {
  if (part.mediaType.startsWith('text/') || part.mediaType === 'application/json') {
    const bytes = Uint8Array.from(atob(part.data), (character) => character.charCodeAt(0));
    return `${nameOf(part)}:\n${new TextDecoder().decode(bytes)}`;
  }
  return isImage(part)
    ? `[image ${nameOf(part)}: this model cannot see images]`
    : `[${nameOf(part)} (${part.mediaType}) cannot be shown to the model]`;
}

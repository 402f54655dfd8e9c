import { BelayError } from '../../domain/failure.ts';
import { base64 } from '../text-file.ts';
import type { ToolParts } from '../tool-parts.ts';
import type { Found, Reading } from './reading.ts';

/** The API takes images of 5 MB in base64. */
const LARGEST_IMAGE = 3_800_000;

/** @throws BelayError `invalid` for one that is too large, or too many in one call */
export async function imageReading(
  parts: Pick<ToolParts, 'files'>,
  { shown, path, real, stat, imageRoom }: Found,
  mediaType: string,
): Promise<Reading> {
  if (stat.size > LARGEST_IMAGE) {
    const message = `${shown} is an image of ${stat.size} bytes, too large to be shown (at most ${LARGEST_IMAGE}). Make a smaller copy of it and read that.`;
    throw new BelayError({ code: 'invalid', message });
  }
  if (stat.size > imageRoom) {
    const message = `${shown} is one image too many for one call. Read it in another one.`;
    throw new BelayError({ code: 'invalid', message });
  }
  const bytes = await parts.files.read(real, LARGEST_IMAGE);
  return {
    content: [
      { type: 'text', text: `${shown} (${mediaType}, ${stat.size} bytes)` },
      { type: 'binary', mediaType, data: base64(bytes), name: shown },
    ],
    link: { path },
    display: { path: shown },
    imageBytes: bytes.length,
  };
}

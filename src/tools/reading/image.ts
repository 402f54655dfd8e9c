import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import { LARGEST_PICTURE } from '../../domain/models/largest-picture.ts';
import type { Found, ReadableDisk, Reading } from './reading.ts';

/** @throws BelayError `invalid` for one that is too large, or too many in one call */
export async function imageReading(
  disk: Pick<ReadableDisk, 'files'>,
  { shown, path, real, stat, imageRoom }: Found,
  mediaType: string,
): Promise<Reading> {
  if (stat.size > LARGEST_PICTURE) {
    const message = told`${shown} is an image of ${String(stat.size)} bytes, too large to be shown (at most ${String(LARGEST_PICTURE)}). Make a smaller copy of it and read that.`;
    throw fault('invalid', message);
  }
  if (stat.size > imageRoom) {
    throw fault(
      'invalid',
      told`${shown} is one image too many for one call. Read it in another one.`,
    );
  }
  const bytes = await disk.files.read(real, LARGEST_PICTURE);
  return {
    content: [
      { type: 'text', text: `${shown} (${mediaType}, ${String(stat.size)} bytes)` },
      { type: 'binary', mediaType, data: base64(bytes), name: shown },
    ],
    link: { path },
    display: { path: shown },
    imageBytes: bytes.length,
  };
}

/** Media type of an image that models can see, by its first bytes. */
export function imageType(bytes: Uint8Array): string | undefined {
  const starts = (...signature: number[]): boolean =>
    signature.every((byte, index) => bytes[index] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (
    starts(0x52, 0x49, 0x46, 0x46) &&
    bytes[8] === 0x57 &&
    bytes[9] === 0x45 &&
    bytes[10] === 0x42 &&
    bytes[11] === 0x50
  )
    return 'image/webp';
  return undefined;
}

/** Base64 without line breaks. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

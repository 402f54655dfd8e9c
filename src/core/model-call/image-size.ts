import { bytesFromBase64 } from '../../domain/data/base64.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Base64 characters that are looked at: a JPEG may carry a preview and a profile before its size. */
const LOOKED_AT = 400_000;

/**
 * The size of a PNG, GIF, WebP or JPEG from its header. By hand: the package `image-size` tries two
 * dozen other formats, some with parsers that never end on a picture made for it (CVE-2025-71319,
 * CVE-2025-71329).
 */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = bytesFromBase64(base64.slice(0, LOOKED_AT));
  if (bytes === undefined) return undefined;
  const view = new DataView(bytes.buffer);
  try {
    return pngSize(view) ?? gifSize(view) ?? webpSize(view) ?? jpegSize(view);
  } catch {
    return undefined; // the header ends too early
  }
}

const text = (view: DataView, start: number, length: number): string =>
  String.fromCharCode(...new Uint8Array(view.buffer, start, length));

function pngSize(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x89504e47) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gifSize(view: DataView): ImageSize | undefined {
  if (text(view, 0, 3) !== 'GIF') return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(view: DataView): ImageSize | undefined {
  if (text(view, 0, 4) !== 'RIFF' || text(view, 8, 4) !== 'WEBP') return undefined;
  switch (text(view, 12, 4)) {
    case 'VP8X':
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
    }
    default:
      return undefined;
  }
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) + (view.getUint8(at + 2) << 16);

/** Walks the segments up to the one that starts the picture (SOF0 to SOF15, without tables). */
function jpegSize(view: DataView): ImageSize | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ;) {
    const marker = view.getUint16(at);
    const isStart =
      marker >= 0xffc0 &&
      marker <= 0xffcf &&
      marker !== 0xffc4 &&
      marker !== 0xffc8 &&
      marker !== 0xffcc;
    if (isStart) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (marker < 0xff00) return undefined;
    at += 2 + view.getUint16(at + 2);
  }
}

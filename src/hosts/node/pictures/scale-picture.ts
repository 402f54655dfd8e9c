import { told, type Told } from '../../../domain/text/told.ts';
import type { PictureSize, ScaledPicture } from '../../../core/ports/files/picture-scaler.ts';
import { asJpeg, asPng, DECODERS, resized } from './codecs.ts';
import { beforeWhite, type Pixels, squared } from './pixels.ts';

/** A picture, and how large it may be. */
export interface PictureQuestion extends PictureSize {
  /** Base64. */
  readonly data: string;
}

export type PictureAnswer = ScaledPicture | { readonly problem: Told };

/** Quality of JPEG, of 100: letters stay sharp. */
const QUALITY = 85;
/** Each attempt at fewer bytes has this share of the sides of the one before. */
const SHRINK = 0.7;
/** Pixels of the longer side below which nothing can be seen. */
const LEAST_SIDE = 64;

type Kind = keyof typeof DECODERS;

/** Base64 of the first bytes of each kind. */
const BEGINNINGS: readonly (readonly [string, Kind])[] = [
  ['iVBORw0KGgo', 'png'],
  ['/9j/', 'jpeg'],
  ['UklGR', 'webp'],
];

/** Scales one picture. */
export async function scalePicture({
  data,
  side,
  length,
}: PictureQuestion): Promise<PictureAnswer> {
  const kind = BEGINNINGS.find(([start]) => data.startsWith(start))?.[1];
  if (kind === undefined) return { problem: told`it is neither PNG, JPEG nor WebP` };
  const whole = await DECODERS[kind](new Uint8Array(Buffer.from(data, 'base64'))).catch(
    () => undefined,
  );
  if (whole === undefined || whole.width < 1 || whole.height < 1)
    return { problem: told`it is damaged` };
  for (let longer = Math.min(side, Math.max(whole.width, whole.height)); ; longer *= SHRINK) {
    if (longer < Math.min(LEAST_SIDE, side))
      return { problem: told`it cannot be made as small as the model wants it` };
    const small = await scaled(whole, longer);
    const made = await encoded(small, kind, length);
    if (made !== undefined) return made;
  }
}

async function scaled(whole: Pixels, longer: number): Promise<Pixels> {
  const share = longer / Math.max(whole.width, whole.height);
  const near = squared(whole, Math.floor(1 / share / 1.5));
  const [width, height] = [whole.width, whole.height].map((one) =>
    Math.max(1, Math.round(one * share)),
  ) as [number, number];
  return resized(near, width, height);
}

/** The picture in its own form, else as JPEG; `undefined`: too long. */
async function encoded(
  pixels: Pixels,
  kind: Kind,
  length: number,
): Promise<ScaledPicture | undefined> {
  if (kind !== 'jpeg') {
    const png = Buffer.from(await asPng(pixels)).toString('base64');
    if (png.length <= length) return { mediaType: 'image/png', data: png };
  }
  const jpeg = Buffer.from(await asJpeg(beforeWhite(pixels), QUALITY)).toString('base64');
  return jpeg.length <= length ? { mediaType: 'image/jpeg', data: jpeg } : undefined;
}

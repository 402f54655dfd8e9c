import { told } from '../../../domain/text/told.ts';
import { fieldOf } from '../refusal/refusal.ts';
import type { Rule } from '../refusal/refusal.ts';

/** Pixels of the longer side where a refusal names none. */
const USUAL_SIDE = 2000;
/** Pixels that any server takes, where a refusal says nothing but that a picture is too large. */
const SAFE_SIDE = 1024;
const UNITS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2 };

/** Refusals of pictures that are too large, in pixels or in bytes; what is named is what they are made then. */
export const IMAGE_RULES: readonly Rule[] = [
  {
    codes: ['image_dimensions_too_large'],
    code: 'image_rejected',
    say: () =>
      told`An image has more pixels than the provider takes. Everything so far is kept: send it smaller.`,
    details: (_match, _at, { details }) => ({
      problem: 'dimensions',
      maxSide: fieldOf(details, 'max_side_length_pixels') ?? USUAL_SIDE,
    }),
  },
  {
    text: /image(?:'s)?[^.]{0,40} (?:dimensions?|resolution|width|height|pixels)[^.]{0,60}(?:exceed|too (?:large|many|big)|larger|at most|maximum)|too many pixels/i,
    code: 'image_rejected',
    say: () =>
      told`An image has more pixels than the provider takes. Everything so far is kept: send it smaller.`,
    details: (_match, _at, { text }) => ({ problem: 'dimensions', maxSide: sideIn(text) }),
  },
  {
    text: /image[^.]{0,40}exceeds[^.]{0,30}maximum: \d+ bytes > (\d+) bytes/i,
    code: 'image_rejected',
    say: () =>
      told`An image is larger than the provider takes. Everything so far is kept: send it smaller.`,
    details: (match) => ({ problem: 'bytes', maxBytes: Number(match?.[1]) }),
  },
  {
    text: /image\b.{0,80}?(?:exceeds?|too large|larger than|limit|maximum|at most).{0,60}?(\d+(?:\.\d+)?) ?([bkm])(?:i?b|ytes)?\b/i,
    status: [400, 413, 422],
    code: 'image_rejected',
    say: () =>
      told`An image is larger than the provider takes. Everything so far is kept: send it smaller.`,
    details: (match) => ({
      problem: 'bytes',
      maxBytes: Math.floor(Number(match?.[1]) * (UNITS[match?.[2]?.toLowerCase() ?? ''] ?? 1)),
    }),
  },
  {
    text: /image.{0,60}(?:too large|exceeds)/i,
    status: [400, 413, 422],
    code: 'image_rejected',
    say: () =>
      told`An image is larger than the provider takes. Everything so far is kept: send it smaller.`,
    details: () => ({ problem: 'dimensions', maxSide: SAFE_SIDE }),
  },
];

/** The least number of pixels in a text. */
function sideIn(text: string): number {
  const named = [...text.matchAll(/(\d{3,5}) ?(?:px|pixels)|(\d{3,5}) ?[x×] ?(\d{3,5})/gi)].flatMap(
    ([, alone, width, height]) =>
      [alone, width, height].flatMap((one) => (one === undefined ? [] : Number(one))),
  );
  return named.length === 0 ? USUAL_SIDE : Math.min(...named);
}

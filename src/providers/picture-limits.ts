import type { PictureLimits } from '../core/model-call/pictures.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import { hostOf } from './http/address.ts';
import type { ProviderInstance, WireName } from './instance.ts';

const MB = 1024 * 1024;

/** Limits of servers of which nothing is said below. */
const USUAL: PictureLimits = { side: 2048, length: 5 * MB, most: 50, total: 18 * MB };

/** As the wires' own documents have them; `side`: what is larger is made smaller there, too. */
const BY_WIRE: Partial<Record<WireName, PictureLimits>> = {
  // A request has 32 MB at most, 100 pictures (600 with a large window), 5 MB each.
  messages: { side: 1568, length: 5 * MB, most: 100, total: 24 * MB },
  responses: { side: 2048, length: 10 * MB, most: 200, total: 40 * MB },
  // A request has 20 MB at most.
  gemini: { side: 3072, length: 7 * MB, most: 250, total: 14 * MB },
  'vscode-lm': { side: 1568, length: 3 * MB, most: 20, total: 10 * MB },
};

/** Hosts that take less, by the end of their names. */
const BY_HOST: readonly (readonly [host: RegExp, limits: Partial<PictureLimits>])[] = [
  [/\.groq\.com$/, { length: 3 * MB, most: 5, total: 4 * MB }],
  [/\.mistral\.ai$/, { length: 8 * MB, most: 8 }],
];

/** Claude models that see more than the others. */
const SHARP_EYED = /claude-opus-4[-.][789]/;
const SHARP_SIDE = 2576;

/** The pictures that a model of an instance takes; what is said of the model wins. `undefined`: it sees none. */
export function pictureLimits(
  { baseUrl, wire }: Pick<ProviderInstance, 'baseUrl' | 'wire'>,
  { id, imageSide, vision }: ModelInfo,
): PictureLimits | undefined {
  if (!vision) return undefined;
  const host = hostOf(baseUrl);
  const usual = { ...(BY_WIRE[wire] ?? USUAL), ...BY_HOST.find(([end]) => end.test(host))?.[1] };
  const side = wire === 'messages' && SHARP_EYED.test(id) ? SHARP_SIDE : usual.side;
  return { ...usual, side: imageSide ?? side };
}

import type { Json, JsonObject } from '../data/json.ts';

/**
 * Data that a provider must get back byte for byte with a part of an answer: a signature, encrypted thinking.
 * Nobody but its wire looks into it, and it is left out when another instance or model takes over.
 */
export interface Replay {
  /** The provider instance that gave it; empty: it was stored before instances had names. */
  readonly instance: string;
  readonly wire: string;
  /** The model that was asked, without its instance; empty: as above. */
  readonly model: string;
  readonly data: Json;
}

/** Who may have something replayed. */
export type ReplayOwner = Omit<Replay, 'data'>;

/** The data that goes back to its owner with a part; `undefined`: none, or it is another's. */
export function replayFor(
  { replay }: { readonly replay?: Replay },
  owner: ReplayOwner,
): Json | undefined {
  if (replay === undefined || replay.wire !== owner.wire) return undefined;
  const isOf = (given: string, own: string): boolean => given === '' || given === own;
  return isOf(replay.instance, owner.instance) && isOf(replay.model, owner.model)
    ? replay.data
    : undefined;
}

/** Parts as they were stored, in today's form: thinking once had `signature` and `redacted` of its own. */
export function currentParts<Part extends { readonly type: string }>(
  parts: readonly Part[],
): readonly Part[] {
  return parts.some(isOld) ? parts.map((part) => (isOld(part) ? current(part) : part)) : parts;
}

const isOld = (part: { readonly type: string }): boolean =>
  part.type === 'reasoning' && ('signature' in part || 'redacted' in part);

function current<Part extends { readonly type: string }>(part: Part): Part {
  const { signature, redacted, ...rest } = part as unknown as JsonObject;
  const data = redacted === undefined ? { signature } : { redacted };
  const replay = { instance: '', wire: 'messages', model: '', data };
  return { ...rest, replay } as unknown as Part;
}

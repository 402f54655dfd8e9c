import { isJsonObject } from '../../domain/data/json.ts';
import type { Json, JsonObject } from '../../domain/data/json.ts';

/**
 * How text came with signatures: in pieces, some of them signed, some of those empty. Signatures hold for a piece
 * only, so pieces are joined for people and taken apart again for the model.
 */
export interface SignedText extends JsonObject {
  readonly thought: boolean;
  /** Characters, and the signature or `null`. */
  readonly pieces: readonly (readonly [length: number, signature: string | null])[];
}

/** Parts of the API for a text as it came; `undefined`: it was not signed, or is not what it was. */
export function signedParts(text: string, data: Json | undefined): readonly object[] | undefined {
  if (!isJsonObject(data) || !Array.isArray(data['pieces'])) return undefined;
  const pieces = data['pieces'] as SignedText['pieces'];
  const length = pieces.reduce((sum, [one]) => sum + one, 0);
  if (length !== text.length) return undefined;
  let at = 0;
  return pieces.map(([one, signature]) => {
    const piece = text.slice(at, (at += one));
    return {
      text: piece,
      ...(data['thought'] === true ? { thought: true } : {}),
      ...(signature === null ? {} : { thoughtSignature: signature }),
    };
  });
}

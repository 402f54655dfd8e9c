import type { Json } from '../../../domain/data/json.ts';

/** Characters of one value: at most 1 MB in UTF-8, with room for escapes. */
export const PIECE = 150_000;

export interface Piece {
  readonly key: string;
  readonly value: Json;
}

/** A text as values of which each can be stored. */
export function inPieces(prefix: string, text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    const key = `${prefix}#${String(pieces.length).padStart(4, '0')}`;
    pieces.push({ key, value: text.slice(at, at + PIECE) });
  }
  return pieces;
}

/** The value of the pieces together; `null`: one is missing or cannot be read. */
export function parsedPieces(
  keys: readonly string[],
  texts: ReadonlyMap<string, Json | undefined>,
): Json {
  const pieces = keys.map((key) => texts.get(key));
  if (!pieces.every((piece) => typeof piece === 'string')) return null;
  try {
    return JSON.parse(pieces.join('')) as Json;
  } catch {
    return null;
  }
}

/** The keys of pieces that a value names; `undefined`: it is no such value. */
export function pieceKeysOf(value: Json): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || !('pieces' in value)) return undefined;
  const { pieces } = value;
  return Array.isArray(pieces) ? pieces.filter((key) => typeof key === 'string') : undefined;
}

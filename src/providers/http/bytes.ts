const encoder = new TextEncoder();

/** The text as UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Bytes of all pieces together. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const COMMA = utf8(',');

/** The pieces with a comma between two. */
export const withCommas = (pieces: readonly Uint8Array[]): readonly Uint8Array[] =>
  pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]));

/** Characters of a piece: 20 ms at worst, of lines that each assign to the name of a secret. */
const PIECE = 100_000;
/** Characters before a cut in which a secret may have begun that goes on in the next line. */
const BEFORE = 500;
const BEGUN = /login|bearer|authorization/iu;
const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/** A text in pieces, cut at ends of lines where no secret goes on. Joined they are the text. */
export function* piecesOf(text: string): Generator<string> {
  let from = 0;
  for (let to = PIECE; to < text.length; to += 1) {
    const end = text.indexOf('\n', to);
    if (end === -1) break;
    to = end;
    if (BEGUN.test(text.slice(Math.max(from, end - BEFORE), end))) continue;
    const piece = text.slice(from, end + 1);
    if (piece.lastIndexOf(KEY_BEGINS) > piece.lastIndexOf(KEY_ENDS)) {
      const keyEnd = text.indexOf(KEY_ENDS, end);
      if (keyEnd === -1) break;
      to = keyEnd;
      continue;
    }
    yield piece;
    from = end + 1;
    to = end + PIECE;
  }
  if (from < text.length) yield text.slice(from);
}

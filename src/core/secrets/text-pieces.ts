import { goodCut } from '../../domain/text/text-pieces.ts';
import { maskForModel } from './secret-forms.ts';

/** Characters of a piece: 30 ms at worst, of a line that assigns to names of secrets again and again. */
const PIECE = 40_000;
/** Characters before a cut in which a secret may have begun that goes on in the next line. */
const BEFORE = 500;
/** Characters around a cut within a line: no form of a secret is longer. */
const AROUND = 5000;
const BEGUN = /login|bearer|authorization/iu;
const KEY_BEGINS = '-----BEGIN ';
const KEY_ENDS = '-----END ';

/**
 * A text in pieces, of which some are empty. Joined they are the text. They are cut at ends of lines where no secret goes on; a long line,
 * where masking both sides hides the same as masking the whole.
 */
export function* piecesOf(text: string): Generator<string> {
  let from = 0;
  for (let to = PIECE; to < text.length; to += 1) {
    const cut = yield* cutAfter(text, from, to);
    if (cut === undefined) {
      to += PIECE;
      continue;
    }
    to = cut;
    const piece = text.slice(from, cut);
    if (piece.lastIndexOf(KEY_BEGINS) > piece.lastIndexOf(KEY_ENDS)) {
      const keyEnd = text.indexOf(KEY_ENDS, cut);
      // A key ends soon.
      if (keyEnd !== -1 && keyEnd - from < 2 * PIECE) {
        to = keyEnd;
        continue;
      }
    }
    yield piece;
    from = cut;
    to = cut + PIECE;
  }
  if (from < text.length) yield text.slice(from);
}

function* cutAfter(text: string, from: number, to: number): Generator<string, number | undefined> {
  for (let end = text.indexOf('\n', to); end !== -1; end = text.indexOf('\n', end + 1)) {
    if (end - to > PIECE) break;
    if (!BEGUN.test(text.slice(Math.max(from, end - BEFORE), end))) return end + 1;
  }
  return yield* goodCut(text, to, (piece) => maskForModel(piece, '\0'), AROUND);
}

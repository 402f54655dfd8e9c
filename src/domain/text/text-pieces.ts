/** Places that are tried for one cut, this many characters from each other: none of it repeats as texts do. */
const TRIES = 16;
const APART = 61;

/** How a long text is cut. Characters. */
export interface PieceSize {
  /** Of a piece, at least. */
  readonly piece: number;
  /** Before and behind a cut that is looked at: no thing that the work changes is longer. */
  readonly around: number;
}

/**
 * Where a text that has no better place to be cut is cut at or after `to`: where work on both sides gives what work
 * on the whole gives. `undefined`: not near. Each try is a step, for which an empty piece stands.
 */
export function* goodCut(
  text: string,
  to: number,
  work: (text: string) => string,
  around: number,
): Generator<string, number | undefined> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    let at = to + tried * APART;
    if (isLowSurrogate(text.charCodeAt(at))) at += 1;
    if (at >= text.length) return undefined;
    const [left, right] = [text.slice(Math.max(0, at - around), at), text.slice(at, at + around)];
    if (work(left + right) === work(left) + work(right)) return at;
    yield '';
  }
  return undefined;
}

/** A text in pieces; what the work makes of them is, joined, what it makes of the text. */
export function* textPieces(
  text: string,
  work: (text: string) => string,
  { piece, around }: PieceSize,
): Generator<string> {
  let from = 0;
  for (let to = piece; to < text.length; to += piece) {
    const at = yield* goodCut(text, to, work, around);
    if (at === undefined) continue;
    yield text.slice(from, at);
    from = at;
    to = at;
  }
  yield text.slice(from);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

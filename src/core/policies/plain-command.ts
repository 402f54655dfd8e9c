/** Characters of a command line beyond which it is compared as it is. */
const LONGEST = 20_000;
/** Quoted text, a letter behind a backslash, a comment, blanks. */
const PIECES =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<letter>.)|(?<![^\s;&|(])#[^\n]*|\s+/gsu;
/** Does nothing at the end of a command line. */
const IDLE_END = /\s?(?:;|&&|\|\|)(?:\s?(?:true|:))?\s?$/u;
/** The same at its beginning. */
const IDLE_START = /^(?:true|:)\s?(?:;|&&)\s?/u;
/** Most of these that are taken away. */
const MOST_IDLE = 20;

/**
 * A command line without what changes nothing in it, only to be compared: blanks, quotes, comments, `; true`.
 * A `#` in a here-document is text.
 */
export function plainCommand(line: string): string {
  if (line.length > LONGEST) return line;
  const hasDocument = line.includes('<<');
  let plain = line
    .replaceAll(PIECES, (piece, single?: string, double?: string, letter?: string) => {
      if (piece.startsWith('#')) return hasDocument ? piece : '';
      return single ?? double ?? letter ?? ' ';
    })
    .trim();
  for (let count = 0; count < MOST_IDLE; count += 1) {
    const shorter = plain.replace(IDLE_END, '').replace(IDLE_START, '').trim();
    if (shorter === plain || shorter === '') break;
    plain = shorter;
  }
  return plain;
}

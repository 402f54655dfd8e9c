/** Characters of a line that a match shows. */
const LONGEST_LINE = 400;

/** A line as a match shows it: without its end, and of a long one the part around the match. */
export function shownLine(line: string, from = 0, to = from): string {
  const text = line.replace(/\r?\n$/u, '');
  if (text.length <= LONGEST_LINE) return text;
  const begin = Math.max(
    0,
    Math.min(
      from - Math.floor((LONGEST_LINE - Math.min(to - from, LONGEST_LINE)) / 2),
      text.length - LONGEST_LINE,
    ),
  );
  const end = begin + LONGEST_LINE;
  return `${begin > 0 ? '…' : ''}${text.slice(begin, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}

/** Forms of a line in which small differences between what a model wrote and what is there vanish. */

/** Characters of a line that has other forms; of longer ones a pass takes too long, and they are no code. */
const LONGEST_LINE = 20_000;

const PLAIN = /^[\t\u0020-\u007e]*$/u;

/** Without blanks at the end, and with plain quotes, dashes and blanks: models write those for others. */
export function typographic(line: string): string {
  if (line.length > LONGEST_LINE) return line;
  if (PLAIN.test(line)) return line.trimEnd();
  return line
    .normalize('NFC')
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/gu, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/[\u00a0\u2002-\u200a\u202f\u3000]/gu, ' ')
    .replaceAll('\u2026', '...')
    .trimEnd();
}

/** Without indentation, too. */
export function unindented(line: string): string {
  return line.length > LONGEST_LINE ? line : typographic(line).trimStart();
}

/** With one blank for each run of blanks. */
export function collapsed(line: string): string {
  return line.length > LONGEST_LINE ? line : unindented(line).replace(/[\t ]+/gu, ' ');
}

export function indentOf(line: string): string {
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

/** 0 to 1; cheap: how much of the longer one is the same beginning and end. */
export function similarity(left: string, right: string): number {
  if (left === right) return 1;
  if (left === '' || right === '') return 0;
  const longest = Math.max(left.length, right.length);
  const shortest = Math.min(left.length, right.length);
  let begin = 0;
  while (begin < shortest && left[begin] === right[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return (begin + end) / longest;
}

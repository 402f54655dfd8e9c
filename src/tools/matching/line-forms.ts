/** Forms of a line in which small differences between what a model wrote and what is there vanish. */

/** Characters of a line that has other forms; of longer ones a pass takes too long, and they are no code. */
const LONGEST_LINE = 20_000;

const PLAIN = /^[\t\u0020-\u007e]*$/u;

const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Runs of blanks, and other characters with the marks and Hangul vowels that belong to them. */
const PIECES = /[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|.[\p{M}\u1160-\u11ff]*/gsu;

/** The characters before and after blanks within a line. */
const IN_LINE = /^[^\n]{2}$/u;

/** With plain quotes, dashes and spaces, and composed: models write those for others. */
function toPlain(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/gu, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(OTHER_SPACES, ' ')
    .replaceAll('\u2026', '...');
}

/**
 * The loosest form of a text: plain, with one blank for each run of blanks and none at the start and
 * end of lines. `bounds`: where pieces of the text begin or end, by their position in that form.
 */
export function toPieces(text: string): {
  readonly plain: string;
  readonly bounds: ReadonlyMap<number, readonly [first: number, last: number]>;
} {
  const bounds = new Map<number, readonly [number, number]>([[0, [0, 0]]]);
  let [plain, at] = ['', 0];
  for (const piece of text.match(PIECES) ?? []) {
    const end = at + piece.length;
    const isBlank = piece !== '\n' && piece.trim() === '';
    const isInside = isBlank && IN_LINE.test(text.charAt(at - 1) + text.charAt(end));
    plain += isBlank ? (isInside ? ' ' : '') : toPlain(piece);
    at = end;
    bounds.set(plain.length, [bounds.get(plain.length)?.[0] ?? at, at]);
  }
  return { plain, bounds };
}

/** The same without blanks at the end of a line. */
export function typographic(line: string): string {
  return line.length > LONGEST_LINE ? line : toPlain(line).trimEnd();
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

const SIGNS: readonly (readonly [name: string, signs: RegExp])[] = [
  ['quotes', /['"\u2018-\u201f\u2032\u2033]/gu],
  ['dashes', /[-\u2010-\u2015\u2212]/gu],
  ['ellipses', /\u2026|\.\.\./gu],
  ['special spaces', OTHER_SPACES],
  ['Unicode composition', /[\p{M}\u1100-\u11ff]/gu],
];
const BLANKS: typeof SIGNS = [
  ['indentation', /^[ \t]+(?=\S)/gmu],
  ['spacing', /(?<=\S)[ \t]+(?=\S)/gu],
  ['trailing spaces', /[ \t]+$/gmu],
];

/** Lines of one place whose differences are named. */
const MAX_NAMED_LINES = 1000;

/** Names what differs between lines that are the same in their loosest form. */
export function nameDifferences(wanted: readonly string[], present: readonly string[]): string[] {
  const texts = [wanted, present].map((lines) => lines.slice(0, MAX_NAMED_LINES).join('\n'));
  const spaced = texts.map((text) => text.replace(OTHER_SPACES, ' '));
  const differ = ([left, right]: readonly string[], signs: RegExp) =>
    left?.match(signs)?.join('|') !== right?.match(signs)?.join('|');
  const names = [
    ...SIGNS.filter(([, signs]) => differ(texts, signs)),
    ...BLANKS.filter(([, signs]) => differ(spaced, signs)),
  ].map(([name]) => name);
  return names.length > 0 ? names : ['typography'];
}

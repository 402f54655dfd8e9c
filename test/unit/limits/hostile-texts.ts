const MB = 1_000_000;

const words = lines('line', 25_000);

/** What it is of, a text of 1 MB, and one that it becomes. */
export const HOSTILE_TEXTS: readonly (readonly [what: string, text: string, other: string])[] = [
  ['ordinary lines that all become others', words, lines('word', 25_000)],
  ['ordinary lines of which every second one changes', words, everySecond(words)],
  ['lines in the opposite order', words, words.split('\n').toReversed().join('\n')],
  ['two lines by turns', 'a b\nc\n'.repeat(MB / 10), 'c\na b\na b\n'.repeat(MB / 20)],
  ['one line', 'ab '.repeat(MB / 3), 'ab ba '.repeat(MB / 6)],
  ['one letter', 'a'.repeat(MB), `${'a'.repeat(MB / 2)}b${'a'.repeat(MB / 2)}`],
  [
    'names of secrets',
    'token = abc123def456;\n'.repeat(MB / 22),
    'auth auth_token password \n'.repeat(MB / 26),
  ],
];

/**
 * Lines of which each round of a comparison finds one more that stands once in both: as many rounds as lines,
 * and the square of it in time.
 */
export function nested(count: number): readonly [readonly string[], readonly string[]] {
  const made = (other: string): readonly string[] =>
    Array.from({ length: count }, (_, index) => [
      `shared ${index + 1}`,
      `${other} ${index}`,
      `shared ${index}`,
    ]).flat();
  return [made('one'), made('two')];
}

/** Milliseconds of processor time that a piece of plain work takes in this process: about 10 on a quiet machine. */
export function unitOfWork(): number {
  const began = process.threadCpuUsage();
  let sum = 0;
  for (let round = 0; round < 3; round += 1)
    for (const line of words.split('\n')) sum += new Set(line).size + line.length;
  const { user, system } = process.threadCpuUsage(began);
  return sum > 0 ? (user + system) / 3000 : 0;
}

function lines(word: string, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${word} ${index * 7919} of code = value(${index});\n`,
  ).join('');
}

function everySecond(text: string): string {
  return text
    .split('\n')
    .map((line, index) => (index % 2 === 0 ? `${line}!` : line))
    .join('\n');
}

/** The last words of a long answer. */
export const ANSWER_END = 'THE END';

const WORDS =
  'the parser reads every token keeps its place and tells where a message begins so that nothing is lost when it ends'.split(
    ' ',
  );

/** Numbers from 0 to below 1, the same for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Markdown of about so many characters with everything that answers have in it, another for each seed. */
export function mixedMarkdown(seed: number, characters: number): string {
  const random = randomOf(seed + 1);
  const upTo = (count: number): number => Math.floor(random() * count);
  const words = (count: number): string =>
    Array.from({ length: count }, () => {
      const word = WORDS[upTo(WORDS.length)] ?? '';
      const mark = ['', '', '', '', '', '', '**', '*', '`', '~~'][upTo(10)] ?? '';
      return `${mark}${word}${mark}`;
    }).join(' ');
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const code = (language: string, count: number): string =>
    `\`\`\`${language}\n${lines(count, (index) => `${'  '.repeat(index % 4)}const value${index} = read("${index}"); // ${index}`)}\n\`\`\``;
  const blocks: (() => string)[] = [
    () => `${'#'.repeat(1 + upTo(4))} ${words(4)}`,
    () => words(20 + upTo(80)),
    () => words(200),
    () => `A heading by its line\n${upTo(2) === 0 ? '===' : '---'}`,
    () => lines(3 + upTo(9), () => `- ${words(5 + upTo(20))}`),
    () => lines(3 + upTo(9), (index) => `${index + 1}. ${words(12)}\n   - ${words(6)}`),
    () => lines(2 + upTo(5), (index) => `- [${index % 2 === 0 ? 'x' : ' '}] ${words(6)}`),
    () => lines(2 + upTo(4), () => `> ${words(20)}`),
    () => code(['ts', 'python', 'sh', 'json', 'diff', ''][upTo(6)] ?? '', 3 + upTo(30)),
    () => code('ts', 120),
    () =>
      `| ${words(1)} | ${words(1)} | ${words(1)} |\n| --- | :---: | ---: |\n${lines(3 + upTo(12), () => `| ${words(3)} | ${words(2)} | ${words(1)} |`)}`,
    () =>
      `${words(8)} [${words(2)}](https://example.com/${upTo(100)}) and \`src/pace.ts:${upTo(40)}\` ${words(8)}`,
    () => '---',
    () => `<details><summary>${words(3)}</summary>\n${words(12)}\n</details>`,
  ];
  let text = '';
  while (text.length < characters - 200) text += `${blocks[upTo(blocks.length)]?.() ?? ''}\n\n`;
  return `${text.slice(0, characters - 200)}\n\n${ANSWER_END}`;
}

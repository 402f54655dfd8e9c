const WORDS =
  'user order total account session request answer cache index value result folder entry token limit page state event queue store worker change record'.split(
    ' ',
  );

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lines that look like a program, so that they shrink as one does. */
export function programLines(count: number, random: () => number): string[] {
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const name = (): string => `${word()}${word().replace(/^./u, (letter) => letter.toUpperCase())}`;
  return Array.from({ length: count }, () => {
    const depth = '  '.repeat(Math.floor(random() * 4));
    const number = Math.floor(random() * 1000);
    return random() < 0.7
      ? `${depth}const ${name()} = ${name()}(${name()}, ${number});`
      : `${depth}if (${name()}.${word()} > ${number}) return ${name()};`;
  });
}

/** A source file of 0.5 to 3 kB. */
export function program(seed: number): string {
  const random = seeded(seed + 1);
  return `${programLines(10 + Math.floor(random() * 50), random).join('\n')}\n`;
}

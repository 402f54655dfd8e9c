/** Programs that run the program that stands behind them. */
const WRAPPERS = new Set(
  'sudo doas su env nice ionice nohup time timeout stdbuf setsid command exec builtin xargs parallel watch busybox strace ltrace script unshare chroot flock find fd npx pnpx bunx bash sh zsh dash ksh fish ssh docker podman wsl cmd powershell pwsh'.split(
    ' ',
  ),
);

/** A command pattern in words; quotes keep a word together. */
export function patternWords(pattern: string): readonly string[] {
  const words = pattern.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/gu) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, '$1$2'));
}

/**
 * Whether a pattern allows a command: word for word, in order. `*` within a word stands for any
 * letters; as the last word, for any further words.
 */
export function commandAllowed(pattern: string, words: readonly string[]): boolean {
  const wanted = patternWords(pattern);
  const open = wanted.length > 1 && wanted.at(-1) === '*';
  const fixed = open ? wanted.slice(0, -1) : wanted;
  if (fixed.length === 0 || fixed[0] === '*') return false;
  if (open ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((word, index) => wordFits(word, words[index] ?? '', index === 0));
}

/**
 * Whether a pattern denies a command, or asks about it: its program, wherever it stands behind programs
 * that run others, its words in their order with anything between them, its flags in any order and
 * combination.
 */
export function commandCaught(pattern: string, words: readonly string[]): boolean {
  const wanted = patternWords(pattern);
  const fixed = wanted.length > 1 && wanted.at(-1) === '*' ? wanted.slice(0, -1) : wanted;
  const [program = '', ...rest] = fixed;
  const runsOthers = WRAPPERS.has(programName(words[0] ?? ''));
  // What such a program is given may be a whole line in one word: `sh -c "git push"`.
  const given = runsOthers ? words.flatMap((word) => word.split(/[\s;|&()'"`$]+/u)) : words;
  return given.some(
    (word, at) =>
      (at === 0 || runsOthers) &&
      wordFits(program.toLowerCase(), programName(word), false) &&
      restCaught(rest, given.slice(at + 1)),
  );
}

function restCaught(wanted: readonly string[], given: readonly string[]): boolean {
  const present = given.filter((word) => word.startsWith('-')).flatMap(flagsIn);
  const flags = wanted.filter((word) => word.startsWith('-')).flatMap(flagsIn);
  if (!flags.every((flag) => present.includes(flag))) return false;
  let at = 0;
  for (const word of wanted.filter((one) => !one.startsWith('-'))) {
    const found = given.findIndex((one, index) => index >= at && wordFits(word, one, false));
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

/** `-rf` is `-r` and `-f`; `--force=yes` is `--force`. */
function flagsIn(word: string): readonly string[] {
  if (/^-[A-Za-z]{2,}$/u.test(word)) return Array.from(word.slice(1), (letter) => `-${letter}`);
  return [word.replace(/=.*$/su, '')];
}

/** The name of a program, however it is reached. */
export function programName(word: string): string {
  return (word.split(/[\\/]/u).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/u, '');
}

function wordFits(pattern: string, word: string, program: boolean): boolean {
  if (!pattern.includes('*')) return pattern === word;
  // A pattern for a program's name never fits a path.
  if (program && word.includes('/') && !pattern.includes('/')) return false;
  const source = pattern
    .split('*')
    .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`))
    .join('[^\\n]*');
  return new RegExp(`^${source}$`, 'u').test(word);
}

/** A word as a pattern writes it. */
export function patternOf(words: readonly string[]): string | undefined {
  // What the pattern language cannot say exactly is not offered.
  if (words.some((word) => /["'*\n\\]/u.test(word) || word === '')) return undefined;
  return words.map((word) => (/\s/u.test(word) ? `"${word}"` : word)).join(' ');
}

import { LONGEST_PATTERN, wildcard } from '../../../domain/glob/glob.ts';
import type { Width } from './path-pattern.ts';

/** Programs that run the program that stands behind them. */
const WRAPPERS = new Set(
  'sudo doas su pkexec env nice ionice chrt taskset nohup time timeout stdbuf setsid command exec builtin noglob nocorrect coproc xargs parallel watch entr busybox toybox strace ltrace gdb perf valgrind script scriptreplay unshare nsenter chroot flock find fd fdfind npx pnpx bunx npm pnpm yarn bun ssh docker podman kubectl wsl cmd start trap make tmux screen systemd-run at batch direnv mise asdf poetry uv pipenv bundle'.split(
    ' ',
  ),
);
/** Programs that run what they are given as a text, or what comes through a pipe. */
const EVALUATORS =
  /^(?:eval|source|\.|trap|xargs|parallel|bash|sh|zsh|dash|ksh|ash|fish|csh|tcsh|pwsh|powershell|cmd|busybox|toybox|osascript|(?:python|node|nodejs|perl|ruby|php|lua|tclsh|deno|bun|awk|gawk|mawk|nawk|expect|Rscript|swift|java|groovy|scala|clj|elixir|ghc|runghc)[\d.]*|ssh|docker|podman|kubectl|wsl|su|script|watch|entr|find|fd|fdfind|vi|vim|nvim|ed|ex|emacs|sed|make|gmake|just|crontab|at|batch|tmux|screen|env|unshare|nsenter|chroot|flock|gdb|lldb)$/iu;

/** Options and subcommands with which git runs what it is given. */
const GIT_RUNS =
  /^(?:-c|--config-env.*|--exec-path.*|--exec.*|-x|foreach|bisect|filter-branch|for-each-repo)$/u;

/** True for a command that runs a text that it is given: its words do not tell all. */
function runsWhatItIsGiven(words: readonly string[]): boolean {
  if (programName(words[0] ?? '') === 'git' && words.some((word) => GIT_RUNS.test(word)))
    return true;
  return words.some((word, at) => {
    const isProgram = at === 0 || WRAPPERS.has(programName(words[0] ?? ''));
    return isProgram && EVALUATORS.test(programName(word));
  });
}

/** A command pattern in words; quotes keep a word together. */
export function patternWords(pattern: string): readonly string[] {
  const words = pattern.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/gu) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, '$1$2'));
}

/**
 * True when a pattern allows a command: word for word. `*` within a word stands for any letters; as
 * the last word, for any further words.
 */
export function commandAllowed(pattern: string, words: readonly string[]): boolean {
  const wanted = patternWords(pattern);
  const open = wanted.at(-1) === '*';
  const fixed = open ? wanted.slice(0, -1) : wanted;
  if (fixed.length === 0 || fixed[0] === '*') return false;
  if (open ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((word, index) => wordFits(word, words[index] ?? '', 'exact', index === 0));
}

/**
 * True when a pattern denies or asks about a command: its program, also behind programs that run
 * others; its words in order with anything between them; its flags in any order and combination.
 */
export function commandCaught(pattern: string, words: readonly string[]): boolean {
  const wanted = patternWords(pattern);
  const fixed = wanted.length > 1 && wanted.at(-1) === '*' ? wanted.slice(0, -1) : wanted;
  const [program = '', ...rest] = fixed;
  const runsOthers = isRunner(words);
  const given = givenWords(words);
  return given.some(
    (word, at) =>
      (at === 0 || runsOthers) &&
      wordFits(program.toLowerCase(), programName(word), 'wide') &&
      restCaught(rest, given.slice(at + 1)),
  );
}

function isRunner(words: readonly string[]): boolean {
  return WRAPPERS.has(programName(words[0] ?? '')) || runsWhatItIsGiven(words);
}

/** The words given to such a program, which may be a whole line in one: `sh -c "git push"`. */
function givenWords(words: readonly string[]): readonly string[] {
  return isRunner(words)
    ? words.flatMap((word) => word.split(/[\s;|&()'"`$,[\]{}]+/u)).filter((word) => word !== '')
    : words;
}

function restCaught(wanted: readonly string[], given: readonly string[]): boolean {
  const present = given.filter((word) => word.startsWith('-')).flatMap(flagsIn);
  const flags = wanted.filter((word) => word.startsWith('-')).flatMap(flagsIn);
  if (!flags.every((flag) => present.includes(flag))) return false;
  let at = 0;
  for (const word of wanted.filter((one) => !one.startsWith('-'))) {
    const found = given.findIndex((one, index) => index >= at && wordFits(word, one, 'wide'));
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

function wordFits(pattern: string, word: string, width: Width, program = false): boolean {
  if (!pattern.includes('*')) return pattern === word;
  // A pattern for a program's name never fits a path.
  if (program && word.includes('/') && !pattern.includes('/')) return false;
  if (width === 'wide') return pattern.length > LONGEST_PATTERN || wildcard(pattern).matches(word);
  return !word.includes('\n') && wildcard(pattern).matches(word);
}

export function patternOf(words: readonly string[]): string | undefined {
  // Words that the pattern language cannot say exactly are not offered.
  if (words.some((word) => /["'*\n\\]/u.test(word) || word === '')) return undefined;
  return words.map((word) => (/\s/u.test(word) ? `"${word}"` : word)).join(' ');
}

/** The words of a line that is not understood: whatever could be one. */
export function roughWords(text: string): readonly string[] {
  return text
    .replaceAll(/\\(.)/gu, '$1')
    .split(/[\s;|&<>()'"`${}]+/u)
    .filter((word) => word !== '');
}

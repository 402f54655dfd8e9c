import { harmless, risky } from './finding.ts';
import type { Finding } from './finding.ts';
import { readArguments } from './options.ts';
import type { ShellWord } from './shell-word.ts';

/** What only prints its words; their patterns show names of files. */
function echo(words: readonly ShellWord[]): Finding {
  return harmless(words.filter(({ glob }) => glob !== undefined).map((word) => ({ word })));
}

/** Without `-v`, which sets a variable; only formats that evaluate nothing. */
function printf(words: readonly ShellWord[]): Finding {
  const [format] = words;
  if (format === undefined || format.value.startsWith('-'))
    return risky('printf may set a variable');
  if (!/^(?:[^%]|%%|%-?\d*[sbqdi])*$/u.test(format.value) || /%-?\d*[di]/u.test(format.value))
    return risky('this format of printf may evaluate its arguments');
  return echo(words);
}

const FILE_TEST = /^-[efdrwxshLS]$/u;

/** Tests of one file or one text; numbers and variables may be evaluated by the shell. */
function test(words: readonly ShellWord[]): Finding {
  const [first, second, third] = words[0]?.value === '!' ? words.slice(1) : words;
  const count = words.length - (words[0]?.value === '!' ? 1 : 0);
  if (words.some(({ glob }) => glob !== undefined)) return risky('a test with a pattern');
  if (count === 2 && first !== undefined && second !== undefined) {
    if (FILE_TEST.test(first.value)) return harmless([{ word: second }]);
    if (/^-[nz]$/u.test(first.value)) return harmless();
  }
  if (
    count === 3 &&
    second !== undefined &&
    third !== undefined &&
    /^(?:=|==|!=)$/u.test(second.value)
  )
    return harmless();
  return risky('the shell evaluates what is compared here');
}

function bracket(words: readonly ShellWord[]): Finding {
  return words.at(-1)?.value === ']' ? test(words.slice(0, -1)) : risky('a test without its end');
}

/** Only to a folder that is named. */
function cd(words: readonly ShellWord[]): Finding {
  const [folder, more] = words[0]?.value === '--' ? words.slice(1) : words;
  if (folder === undefined || more !== undefined || folder.glob !== undefined)
    return risky('cd to a folder that is not named');
  if (folder.value.startsWith('-') || folder.value === '')
    return risky('cd to a folder that is not named');
  return { kind: 'harmless', uses: [{ word: folder }], enters: folder };
}

function commandBuiltin(words: readonly ShellWord[]): Finding {
  const [option] = words;
  return option?.value === '-v' || option?.value === '-V'
    ? harmless()
    : risky('command runs another command');
}

function date(words: readonly ShellWord[]): Finding {
  const read = readArguments(
    '-u -R -I? -d: --date: --utc --universal --rfc-email --iso-8601? --rfc-3339:',
    words,
  );
  if (typeof read === 'string') return risky(`date may set the clock with ${read}`);
  return read.operands.every(({ value, glob }) => value.startsWith('+') && glob === undefined)
    ? harmless()
    : risky('date sets the clock');
}

/** jq programs can print the environment and read other files. */
export function isPlainJqProgram(program: string): boolean {
  return !/\benv\b|\$ENV|\bimport\b|\binclude\b|\$__|\binput_line|\bmodulemeta\b/u.test(program);
}

export const BUILTINS: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  ':': () => harmless(),
  echo,
  printf,
  test,
  '[': bracket,
  cd,
  command: commandBuiltin,
  type: () => harmless(),
  date,
  exit: (words) =>
    words.every(({ value, exitCode }) => exitCode === true || /^\d{1,3}$/u.test(value))
      ? harmless()
      : risky('exit with something that is no number'),
};

/** Programs that may be asked for their version: nothing of the workspace decides what they run then. */
const VERSIONED: Readonly<Record<string, readonly string[]>> = {
  node: ['--version', '-v'],
  npm: ['--version', '-v'],
  python: ['--version', '-V'],
  python3: ['--version', '-V'],
  java: ['-version', '--version'],
  gcc: ['--version'],
  'g++': ['--version'],
  clang: ['--version'],
  make: ['--version'],
  cmake: ['--version'],
  perl: ['-v', '--version'],
  php: ['-v', '--version'],
  docker: ['--version'],
  bash: ['--version'],
  curl: ['--version'],
};

/** `true`: the program is only asked for its version. */
export function asksForVersion(name: string, words: readonly ShellWord[]): boolean {
  const [only, more] = words;
  return (
    more === undefined &&
    only !== undefined &&
    Object.hasOwn(VERSIONED, name) &&
    VERSIONED[name]?.includes(only.value) === true
  );
}

import { createRisk } from '../../risks.ts';
import { type Finding, harmless, risky } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { createPatternUses } from './form.ts';

/** Prints its words only; their patterns show names of files. */
function echo(words: readonly ShellWord[]): Finding {
  return harmless(createPatternUses(words));
}

/** Without `-v`, which sets a variable; only formats that evaluate nothing. */
function printf(words: readonly ShellWord[]): Finding {
  const [format] = words[0]?.value === '--' ? words.slice(1) : words;
  if (format === undefined || format.value.startsWith('-') || format.exitCode !== undefined)
    return risky('evaluates', 'printf');
  if (!/^(?:[^%]|%%|%-?\d*[sbq])*$/u.test(format.value)) return risky('evaluates', 'printf');
  return echo(words);
}

const FILE_TEST = /^-[efdrwxshLS]$/u;

/** Tests of one file or one text; numbers and variables may be evaluated by the shell. */
function test(words: readonly ShellWord[]): Finding {
  const [first, second, third, more] = words[0]?.value === '!' ? words.slice(1) : words;
  if (words.some(({ patterns }) => patterns !== undefined)) return risky('evaluates', 'test');
  if (first === undefined || second === undefined || more !== undefined)
    return risky('evaluates', 'test');
  if (third === undefined) {
    if (FILE_TEST.test(first.value) && second.exitCode === undefined)
      return harmless([{ word: second, as: 'names' }]);
    if (/^-[nz]$/u.test(first.value)) return harmless();
  } else if (/^(?:=|==|!=)$/u.test(second.value)) {
    return harmless();
  } else if (/^-(?:eq|ne|lt|le|gt|ge)$/u.test(second.value)) {
    const isNumber = ({ value, exitCode }: ShellWord): boolean =>
      exitCode === 'whole' || (exitCode === undefined && /^\d{1,9}$/u.test(value));
    if (isNumber(first) && isNumber(third)) return harmless();
  }
  return risky('evaluates', 'test');
}

function bracket(words: readonly ShellWord[]): Finding {
  return words.at(-1)?.value === ']' ? test(words.slice(0, -1)) : risky('evaluates', '[');
}

/** Only to a folder that is named. */
function cd(words: readonly ShellWord[]): Finding {
  const [folder, more] = words[0]?.value === '--' ? words.slice(1) : words;
  if (folder === undefined || more !== undefined || folder.patterns !== undefined)
    return risky('unknown-folder');
  if (/^(?:[-+]|$)/u.test(folder.value) || folder.exitCode !== undefined)
    return risky('unknown-folder');
  return { kind: 'harmless', uses: [{ word: folder, as: 'names' }], enters: folder };
}

/** The shell ends at the first failure, or shows what it does; other options change how lines are read. */
function set(words: readonly ShellWord[]): Finding {
  const line = words.map(({ value }) => value).join(' ');
  return /^(?:-[eux]{1,3}|-(?:[eux]{1,3})?o pipefail)$/u.test(line)
    ? harmless()
    : { kind: 'unknown', risks: [createRisk('unknown-option', 'set', line)] };
}

export const BUILTINS: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  ':': (words) => echo(words),
  echo,
  printf,
  test,
  '[': bracket,
  cd,
  set,
  type: (words) => echo(words),
  exit: (words) =>
    words.every(({ value, exitCode }) => exitCode === 'whole' || /^\d{1,3}$/u.test(value))
      ? harmless()
      : risky('evaluates', 'exit'),
};

/** Commands that print or compare an exit code that the shell fills in, or a text with one. */
export const TAKES_EXIT_CODE: Readonly<Record<string, readonly ('part' | 'whole')[]>> = {
  echo: ['whole', 'part'],
  printf: ['whole', 'part'],
  test: ['whole', 'part'],
  '[': ['whole', 'part'],
  exit: ['whole'],
};

import { told } from '../../../../domain/text/told.ts';
import { type Finding, harmless, risky, unknown } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { globsOf } from './form.ts';

/** Prints its words only; their patterns show names of files. */
function echo(words: readonly ShellWord[]): Finding {
  return harmless(globsOf(words));
}

/** Without `-v`, which sets a variable; only formats that evaluate nothing. */
function printf(words: readonly ShellWord[]): Finding {
  const [format] = words[0]?.value === '--' ? words.slice(1) : words;
  if (format === undefined || format.value.startsWith('-') || format.filled !== undefined)
    return risky(told`printf may set a variable`);
  if (!/^(?:[^%]|%%|%-?\d*[sbq])*$/u.test(format.value))
    return risky(told`this format of printf may evaluate its arguments`);
  return echo(words);
}

const FILE_TEST = /^-[efdrwxshLS]$/u;

/** Tests of one file or one text; numbers and variables may be evaluated by the shell. */
function test(words: readonly ShellWord[]): Finding {
  const [first, second, third, more] = words[0]?.value === '!' ? words.slice(1) : words;
  if (words.some(({ glob }) => glob !== undefined)) return risky(told`a test with a pattern`);
  if (first === undefined || second === undefined || more !== undefined)
    return risky(told`the shell evaluates what is compared here`);
  if (third === undefined) {
    if (FILE_TEST.test(first.value) && second.filled !== 'text')
      return harmless([{ word: second, as: 'names' }]);
    if (/^-[nz]$/u.test(first.value)) return harmless();
  } else if (/^(?:=|==|!=)$/u.test(second.value)) {
    return harmless();
  } else if (/^-(?:eq|ne|lt|le|gt|ge)$/u.test(second.value)) {
    const isNumber = ({ value, filled }: ShellWord): boolean =>
      filled === 'number' || (filled === undefined && /^\d{1,9}$/u.test(value));
    if (isNumber(first) && isNumber(third)) return harmless();
  }
  return risky(told`the shell evaluates what is compared here`);
}

function bracket(words: readonly ShellWord[]): Finding {
  return words.at(-1)?.value === ']'
    ? test(words.slice(0, -1))
    : risky(told`a test without its end`);
}

/** Only to a folder that is named. */
function cd(words: readonly ShellWord[]): Finding {
  const [folder, more] = words[0]?.value === '--' ? words.slice(1) : words;
  if (folder === undefined || more !== undefined || folder.glob !== undefined)
    return risky(told`cd to a folder that is not named`);
  if (/^(?:[-+]|$)/u.test(folder.value) || folder.filled !== undefined)
    return risky(told`cd to a folder that is not named`);
  return { kind: 'harmless', uses: [{ word: folder, as: 'names' }], enters: folder };
}

/** `read -r line`: the parser knows the variable as a text that nobody knows. */
function read(words: readonly ShellWord[]): Finding {
  return words.every(({ value }) => value === '-r' || /^[a-z]\w*$/u.test(value))
    ? harmless()
    : unknown(told`read with options`);
}

/** The shell ends at the first failure, or shows what it does; other options change how lines are read. */
function set(words: readonly ShellWord[]): Finding {
  const line = words.map(({ value }) => value).join(' ');
  return /^(?:-[eux]{1,3}|-(?:[eux]{1,3})?o pipefail)$/u.test(line)
    ? harmless()
    : unknown(told`set with options`);
}

export const BUILTINS: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  ':': (words) => echo(words),
  echo,
  printf,
  test,
  '[': bracket,
  cd,
  read,
  set,
  type: (words) => echo(words),
  break: (words) => (words.length === 0 ? harmless() : unknown(told`break with a number`)),
  continue: (words) => (words.length === 0 ? harmless() : unknown(told`continue with a number`)),
  exit: (words) =>
    words.every(({ value, filled }) => filled === 'number' || /^\d{1,3}$/u.test(value))
      ? harmless()
      : risky(told`exit with something that is no number`),
};

/** Programs that print or compare a text or number that the shell fills in. */
export const TAKES_FILLED: Readonly<Record<string, readonly ('number' | 'text')[]>> = {
  echo: ['number', 'text'],
  printf: ['number', 'text'],
  test: ['number', 'text'],
  '[': ['number', 'text'],
  exit: ['number'],
};

import { asksForVersion, BUILTINS, isPlainJqProgram } from './builtins.ts';
import { findFinding } from './find.ts';
import { harmless, risky, unknown } from './finding.ts';
import type { Finding } from './finding.ts';
import { gitFinding } from './git-command.ts';
import { READERS, readWith } from './readers.ts';
import { awkFinding, sedFinding } from './scripts.ts';
import type { ShellCommand } from './shell-syntax.ts';
import type { ShellWord } from './shell-word.ts';

const OWN: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  ...BUILTINS,
  awk: awkFinding,
  find: findFinding,
  git: gitFinding,
  jq: (words) =>
    words.every(({ value }) => isPlainJqProgram(value))
      ? readWith('jq', READERS['jq'] ?? { options: '', operands: 'none' }, words)
      : risky('this jq program may print the environment'),
  sed: sedFinding,
};

/** Variables that change nothing but language, colour and the like. */
const HARMLESS_VARIABLES = /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|COLUMNS|CLICOLOR)$/u;

/** What takes `$?` as a number to be printed. */
const TAKES_EXIT_CODE = new Set(['echo', 'printf', 'exit', 'test', '[']);

/** Judges one simple command by its words; paths and redirections are judged apart. */
export function findingOf({ words, assignments }: ShellCommand): Finding {
  const foreign = assignments.find(
    ({ name, value }) => !HARMLESS_VARIABLES.test(name) || /[^\w.,:@-]/u.test(value.value),
  );
  if (foreign !== undefined) return risky(`the variable ${foreign.name} may change what is run`);
  const [program, ...rest] = words;
  if (program === undefined) return harmless();
  if (program.glob !== undefined || program.home !== undefined || program.exitCode !== undefined)
    return risky('the program is not named');
  if (rest.some(({ exitCode }) => exitCode === true) && !TAKES_EXIT_CODE.has(program.value))
    return unknown('a number is filled in by the shell');
  const name = program.value;
  if (Object.hasOwn(OWN, name)) return OWN[name]?.(rest) ?? unknown(`${name} is not known`);
  if (asksForVersion(name, rest)) return harmless();
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader !== undefined) return readWith(name, reader, rest);
  return unknown(`${name} is not one of the commands that are known to be harmless`);
}

import { told } from '../../../domain/text/told.ts';
import { type Finding, harmless, risky, unknown } from './finding.ts';
import { gitFinding } from './git/git-command.ts';
import { BUILTINS, TAKES_FILLED } from './programs/builtins.ts';
import { fileChangeFinding } from './programs/file-changes.ts';
import { findFinding } from './programs/find.ts';
import { type Program, findingByForm } from './programs/form.ts';
import { SEARCH_PROGRAMS } from './programs/search-programs.ts';
import { SYSTEM_PROGRAMS, versionChoosers } from './programs/system-programs.ts';
import { TEXT_PROGRAMS } from './programs/text-programs.ts';
import { isWrapper, usesBesideGiven, wrapperFinding, xargsFinding } from './programs/wrappers.ts';
import type { ShellCommand } from './shell/shell-syntax.ts';
import type { ShellWord } from './shell/shell-word.ts';

/** Every program that may run without a question, with what it declares; of some a subcommand (`docker ps`). */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  ...TEXT_PROGRAMS,
  ...SEARCH_PROGRAMS,
  ...SYSTEM_PROGRAMS,
};

/** Variables that change nothing but language, colour and the like. */
const HARMLESS_VARIABLES = /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|COLUMNS|CLICOLOR)$/u;

/** Judges one simple command by its words; paths and redirections are judged apart. */
export function findingOf({ words, assignments }: ShellCommand): Finding {
  const foreign = assignments.find(
    ({ name, value }) =>
      (!HARMLESS_VARIABLES.test(name) || /[^\w.,:@-]/u.test(value.value)) &&
      // It says how a line is taken apart, for this one program.
      !(name === 'IFS' && words[0]?.value === 'read'),
  );
  if (foreign !== undefined)
    return risky(told`the variable ${foreign.name} may change what is run`);
  return words.length === 0 ? harmless() : wordsFinding(words);
}

/** Programs with a language or a subject of their own. */
const OWN: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  ...BUILTINS,
  git: gitFinding,
  xargs: (words) => xargsFinding(words, wordsFinding),
  find: (words) => findFinding(words, (run) => usesBesideGiven(run, '{}', wordsFinding)),
};

function wordsFinding([program, ...rest]: readonly ShellWord[]): Finding {
  if (program === undefined) return harmless();
  if (program.glob !== undefined || program.home !== undefined || program.filled !== undefined)
    return risky(told`the program is not named`);
  const name = program.value;
  const takes = Object.hasOwn(TAKES_FILLED, name) ? TAKES_FILLED[name] : undefined;
  const odd = rest.find(({ filled }) => filled !== undefined && takes?.includes(filled) !== true);
  if (odd !== undefined) return unknown(told`a word is filled in by the shell`);
  const unless = versionChoosers(name, rest);
  if (unless !== undefined) return { ...harmless(), unless };
  if (name === 'command' && /^-[vV]$/u.test(rest[0]?.value ?? '')) return harmless();
  return isWrapper(name) ? wrapperFinding(name, rest, wordsFinding) : namedFinding(name, rest);
}

function namedFinding(name: string, words: readonly ShellWord[]): Finding {
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (own !== undefined) return own(words);
  const [first, ...rest] = words;
  const form = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (form !== undefined) {
    const explains = rest.length === 0 && /^--(?:help|version)$/u.test(first?.value ?? '');
    return explains ? harmless() : findingByForm(name, form, words);
  }
  const both = `${name} ${first?.value ?? ''}`;
  const subcommand = Object.hasOwn(PROGRAMS, both) ? PROGRAMS[both] : undefined;
  if (subcommand !== undefined) return findingByForm(both, subcommand, rest);
  return (
    fileChangeFinding(name, words) ??
    unknown(told`${name} is not one of the commands that are known to be harmless`)
  );
}

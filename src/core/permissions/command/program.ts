import { type Finding, harmless, risky } from './finding.ts';
import { findProgramRisk } from './program-risks.ts';
import { readGit } from './git/git.ts';
import { BUILTINS, TAKES_EXIT_CODE } from './programs/builtins.ts';
import { readFileChange } from './programs/file-changes.ts';
import { readFind } from './programs/find.ts';
import { type Program, readByForm } from './programs/form.ts';
import { SEARCH_PROGRAMS } from './programs/search-programs.ts';
import { SYSTEM_PROGRAMS } from './programs/system-programs.ts';
import { TEXT_PROGRAMS } from './programs/text-programs.ts';
import { findVersionChoosers } from './programs/versions.ts';
import { isWrapper, readWrapper, readXargs } from './programs/wrappers.ts';
import type { ShellCommand } from './shell/shell-syntax.ts';
import type { ShellWord } from './shell/shell-word.ts';

/** Every program that may run without a question, with what it declares; of some a subcommand (`docker ps`). */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  ...TEXT_PROGRAMS,
  ...SEARCH_PROGRAMS,
  ...SYSTEM_PROGRAMS,
};

/** Variables that change nothing but language, colour and the like. */
const HARMLESS_VARIABLES =
  /^(?:LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CI|COLUMNS|CLICOLOR|PYTHONUNBUFFERED|RUST_BACKTRACE|CARGO_TERM_COLOR)$/u;
/** Assignments that a remembered approval has in front of the program. */
const TEST_ASSIGNMENT = /^(?:NODE|APP|RAILS|RACK|MIX)_ENV=test$/u;

/** Reads one simple command by its words. Its paths and redirections are judged separately. */
export function readFinding({ words, assignments }: ShellCommand): Finding {
  const set = assignments.map(({ name, value }) => `${name}=${value.value}`);
  const forTests = set.filter((one) => TEST_ASSIGNMENT.test(one));
  const foreign = assignments.find(
    ({ name, value }, at) =>
      !forTests.includes(set[at] ?? '') &&
      (!HARMLESS_VARIABLES.test(name) || /[^\w.,:@-]/u.test(value.value)),
  );
  if (foreign !== undefined) return risky('variable', foreign.name);
  if (words.length === 0) return harmless();
  const finding = readWords(words);
  return finding.kind === 'harmless' || forTests.length === 0
    ? finding
    : { ...finding, inner: [...forTests, ...(finding.inner ?? words.map(({ value }) => value))] };
}

/** Programs with a language or a subject of their own. */
const OWN: Readonly<Record<string, (words: readonly ShellWord[]) => Finding>> = {
  git: readGit,
  xargs: (words) => readXargs(words, readWords),
  find: readFind,
};

function readWords([program, ...rest]: readonly ShellWord[]): Finding {
  if (program === undefined) return harmless();
  if (
    program.patterns !== undefined ||
    program.home !== undefined ||
    program.exitCode !== undefined ||
    program.value.includes('=')
  )
    return risky('unknown-program', program.text);
  const name = program.value;
  const takes = Object.hasOwn(TAKES_EXIT_CODE, name) ? TAKES_EXIT_CODE[name] : undefined;
  const odd = rest.find(
    ({ exitCode }) => exitCode !== undefined && takes?.includes(exitCode) !== true,
  );
  if (odd !== undefined) return risky('unknown-option', name, odd.text);
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  if (builtin !== undefined) return builtin(rest);
  if (name === 'command' && /^-[vV]$/u.test(rest[0]?.value ?? '')) return harmless();
  if (isWrapper(name)) return readWrapper(name, rest, readWords);
  const finding = readProgram(name, rest);
  return finding.kind === 'harmless' ? { ...finding, program: name } : finding;
}

function readProgram(name: string, words: readonly ShellWord[]): Finding {
  const chosenBy = findVersionChoosers(name, words);
  if (chosenBy !== undefined) return { ...harmless(), chosenBy };
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (own !== undefined) return own(words);
  const [first, ...rest] = words;
  const form = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (form !== undefined) {
    const explains = rest.length === 0 && /^--(?:help|version)$/u.test(first?.value ?? '');
    return explains ? harmless() : readByForm(name, form, words);
  }
  const both = `${name} ${first?.value ?? ''}`;
  const subcommand = Object.hasOwn(PROGRAMS, both) ? PROGRAMS[both] : undefined;
  if (subcommand !== undefined) return readByForm(both, subcommand, rest);
  const values = words.map(({ text, value, patterns }) => (patterns === undefined ? value : text));
  return (
    readFileChange(name, words) ?? {
      kind: 'unknown',
      risks: [findProgramRisk([name, ...values])],
    }
  );
}

import { wordSet } from '../../../domain/text/words.ts';
import { isCheck } from './checks.ts';

/** The word of a remembered command that stands for any one file or folder of the workspace. */
export const FILE_WORD = '<file>';

/** Scripts of package.json that may be given a file. */
const CHECK_SCRIPT = /^(?:test|unit|spec|e2e|lint|check|typecheck)(?:[:_-][\w:-]+)?$/u;
const PACKAGE_MANAGERS = wordSet('npm pnpm yarn bun');
/** Checkers that take files as operands, with the subcommands that may be in front of them. */
const CHECKERS: Readonly<Record<string, readonly string[]>> = {
  vitest: ['run'],
  jest: [],
  mocha: [],
  ava: [],
  playwright: ['test'],
  pytest: [],
  rspec: [],
  phpunit: [],
  eslint: [],
  oxlint: [],
  stylelint: [],
  prettier: [],
  black: [],
  ruff: ['check'],
  mypy: [],
  pyright: [],
  pylint: [],
  flake8: [],
  rubocop: [],
  shellcheck: [],
};
/** Options without a value, behind which a file may stand. */
const FLAGS = wordSet('-- -q -v -vv --quiet --verbose --check --exit --run --no-cov --no-coverage');

/** Returns whether a word may be the varying part, by its form: one path, no option, no list of arguments. */
export function mayBeFile(word: string): boolean {
  return word !== '' && !/^-|[@*?[\]{}~$`"'\\<>|&;!\s]/u.test(word);
}

/**
 * Returns the place of the one word that may vary in a remembered command; `undefined` for programs that would run
 * something else with another word: interpreters, package managers, git, network tools.
 * @param files the words that name one existing path inside the workspace
 */
export function findFileWord(
  words: readonly string[],
  files: ReadonlySet<string>,
): number | undefined {
  const start = operandsStart(words);
  if (start === undefined || !isCheck(words)) return undefined;
  const found = words.flatMap((word, at) => (at >= start && files.has(word) ? [at] : []));
  const [at] = found;
  if (at === undefined || found.length > 1) return undefined;
  const before = words[at - 1] ?? '';
  // Behind another option it may be a file of settings.
  return at > start && before.startsWith('-') && !FLAGS.has(before) ? undefined : at;
}

/** The place of the first word behind the program, its subcommand and the name of a script. */
function operandsStart([program = '', first = '', second = '']: readonly string[]):
  | number
  | undefined {
  if (PACKAGE_MANAGERS.has(program)) {
    if (first === 'test' || first === 't') return 2;
    return first === 'run' && CHECK_SCRIPT.test(second) ? 3 : undefined;
  }
  const at = program === 'npx' ? 1 : 0;
  const [name, next] = at === 1 ? [first, second] : [program, first];
  const subcommands = Object.hasOwn(CHECKERS, name) ? CHECKERS[name] : undefined;
  if (subcommands === undefined) return undefined;
  return at + 1 + (subcommands.includes(next) ? 1 : 0);
}

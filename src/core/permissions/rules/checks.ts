import { wordSet, wordsOf } from '../../../domain/text/words.ts';
import { programName } from './command-pattern.ts';

/** Scripts and targets that check or build, by the names that projects give them. */
const CHECKING =
  /^(?:test|tests|t|tst|check|checks|verify|lint|lints|linter|typecheck|type-check|types|tsc|vet|spec|unit|e2e|integration|coverage|(?:format|fmt|prettier)[:_-]check|build|compile|all|ci|validate|eslint)(?:[:_-](?!fix|write|update|watch|publish|deploy)[\w:-]+)?$/u;
/** Options with which a checker changes files or takes its program from elsewhere. */
const CHANGING =
  /^(?:--fix(?:$|[=-])|--write|-w$|--apply|-a$|-A$|--auto-?|--update|-u$|-o(?:$|=)|--out|--basetemp|--publish|--init|-i$|--in-place|-exec|--exec|-toolexec|-?-vettool|-overlay|--eval|-e$|--yes|-y$|--package|--registry|--watch|--script|-S$|--build-|--node-options|--python-executable|--install)/u;
/** A word, or the value of an option, that leads out of the folder. */
const LEADS_OUT = /(?:^|[=:]|^-[A-Za-z])(?:[/~]|\.\.(?:\/|$))/u;
/** Options of programs that run a target; others name another file or folder. */
const PLAIN_OPTION = /^(?:-[knsqB]|-j\d*|--(?:silent|quiet|keep-going|dry-run|jobs(?:=\d+)?))$/u;
/** Options of Node's own test runner that write nothing and load nothing. */
const TEST_OPTION =
  /^--test(?:-(?:name-pattern|skip-pattern|only|concurrency|timeout|reporter))?(?:=|$)/u;

/** Tools that check, with the words that must be there, in any order. */
const TOOLS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    wordsOf(`
      eslint oxlint stylelint tslint knip cspell vitest jest mocha ava pytest unittest mypy pyright
      pylint flake8 tox nox rspec rubocop phpunit phpstan ctest shellcheck staticcheck
    `).map((name) => [name, '']),
  ),
  tsc: '--noEmit',
  'vue-tsc': '--noEmit',
  prettier: '--check',
  black: '--check',
  isort: '--check-only',
  gofmt: '-l',
};
/** Programs of which only these subcommands check. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: wordSet('test check clippy build bench nextest'),
  go: wordSet('test vet build'),
  dotnet: wordSet('test build'),
  deno: wordSet('test check lint'),
  ruff: wordSet('check'),
  biome: wordSet('check lint ci'),
  'golangci-lint': wordSet('run'),
  playwright: wordSet('test'),
  mvn: wordSet('test verify compile package'),
  mvnw: wordSet('test verify compile package'),
  gradle: wordSet('test check build lint'),
  gradlew: wordSet('test check build lint'),
  rake: wordSet('test spec lint'),
  swift: wordSet('test build'),
  mix: wordSet('test compile'),
  flutter: wordSet('test analyze'),
  dart: wordSet('test analyze'),
};
/** Programs and subcommands of which the check needs an option. */
const CHECKING_OPTION: Readonly<Record<string, string>> = { cargo: 'fmt', ruff: 'format' };
/** They run a script or a target of the project by its name. */
const SCRIPT_RUNNERS = wordSet('make gmake just task rake');
const SCRIPT_MANAGERS = wordSet('npm pnpm yarn bun composer');
const PYTHON = /^python3?$/u;
/** They run a tool that the project has installed. */
const TOOL_RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  npm: ['exec'],
  pnpm: ['exec'],
  yarn: ['exec'],
  bundle: ['exec'],
  poetry: ['run'],
  uv: ['run'],
};

/** Returns the words of a command behind variables that are set for it alone. */
export function withoutAssignments(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !/^\w+=/u.test(word));
  return start < 0 ? [] : words.slice(start);
}

/** Returns whether a command checks or builds the project, and changes nothing by its options. */
export function isCheck(all: readonly string[]): boolean {
  const words = withoutAssignments(all);
  const [program = '', ...rest] = words;
  if (rest.some((word) => CHANGING.test(word) || LEADS_OUT.test(word))) return false;
  const name = programName(program);
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'));
  if (SCRIPT_MANAGERS.has(name)) {
    if (/^(?:run|run-script)$/u.test(first)) return CHECKING.test(second);
    if (/^(?:test|t|tst)$/u.test(first)) return true;
    if (name !== 'npm' && CHECKING.test(first)) return true;
  }
  if (PYTHON.test(name) && rest[0] === '-m') return isTool(rest.slice(1));
  const runs = Object.hasOwn(TOOL_RUNNERS, name) ? TOOL_RUNNERS[name] : undefined;
  if (runs !== undefined) {
    const own =
      runs.length === 0 ? rest : runs.includes(first) ? rest.slice(rest.indexOf(first) + 1) : [];
    return isTool(
      own.filter((word, at) => !(at === 0 && /^--(?:no-install|offline)?$/u.test(word))),
    );
  }
  if (SCRIPT_RUNNERS.has(name))
    return rest.every((word) => PLAIN_OPTION.test(word) || CHECKING.test(word));
  return isTool(words);
}

function isTool([program = '', ...rest]: readonly string[]): boolean {
  const name = programName(program);
  if (name === 'gofmt' && rest.some((word) => /^-(?![lsde]$)/u.test(word))) return false;
  const needs = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (needs !== undefined) return needs === '' || rest.includes(needs);
  if (name === 'node') return rest[0] === '--test' && rest.every(isPlainForNode);
  // Cargo takes settings, such as the compiler, by this option.
  if (name === 'cargo' && rest.includes('--config')) return false;
  const [first = ''] = rest.filter((word) => !word.startsWith('-'));
  if (CHECKING_OPTION[name] === first) return rest.includes('--check');
  return Object.hasOwn(SUBCOMMANDS, name) && SUBCOMMANDS[name]?.has(first) === true;
}

function isPlainForNode(word: string): boolean {
  return !word.startsWith('-') || TEST_OPTION.test(word);
}

const INTERPRETERS = wordSet(`
  node nodejs tsx ts-node bun deno python py ruby perl php lua Rscript sh bash zsh dash ksh ash fish csh tcsh pwsh
  powershell cmd source . eval osascript ssh docker podman kubectl psql mysql sqlite su sudo
`);

/** Returns whether a program runs the code that it is given. */
export function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(program) || INTERPRETERS.has(program.replace(/[\d.]+$/u, ''));
}

/** Returns whether a command runs scripts or programs of the project. */
export function isOwnCode(words: readonly string[]): boolean {
  const [program = '', first = ''] = withoutAssignments(words);
  const name = programName(program);
  if (isCheck(words) || SCRIPT_RUNNERS.has(name) || /^[^/].*\//u.test(program)) return true;
  if (SCRIPT_MANAGERS.has(name)) return /^(?:run|run-script|start|exec)$/u.test(first);
  return Object.hasOwn(TOOL_RUNNERS, name) || (isInterpreter(name) && /^[^-].*\.\w+$/u.test(first));
}

/** Scripts that may be given a file. */
const FILE_SCRIPT = /^(?:test|unit|spec|e2e|lint|check|typecheck)(?:[:_-][\w:-]+)?$/u;
/** Tools that take files as operands, with the subcommands that may be in front of them. */
const FILE_TOOLS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    wordsOf(`
      jest mocha ava pytest unittest rspec phpunit eslint oxlint stylelint prettier black gofmt mypy
      pyright pylint flake8 rubocop shellcheck
    `).map((name) => [name, '']),
  ),
  vitest: 'run',
  playwright: 'test',
  ruff: 'check format',
  go: 'test vet',
};
/** Options without a value, behind which a file may stand. */
const FLAGS = wordSet(
  '-- -q -v -vv -l -race --quiet --verbose --check --exit --run --no-cov --no-coverage',
);

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
  const start = findOperands(words);
  if (start === undefined || !isCheck(words)) return undefined;
  const found = words.flatMap((word, at) => (at >= start && files.has(word) ? [at] : []));
  const [at] = found;
  if (at === undefined || found.length > 1) return undefined;
  const before = words[at - 1] ?? '';
  // Behind another option it may be a file of settings.
  return at > start && before.startsWith('-') && !FLAGS.has(before) ? undefined : at;
}

/** Finds the first word behind the program, its subcommand and the name of a script. */
function findOperands(all: readonly string[]): number | undefined {
  const words = withoutAssignments(all);
  const skipped = all.length - words.length;
  const [program = '', first = '', second = ''] = words;
  if (SCRIPT_MANAGERS.has(program)) {
    if (first === 'test' || first === 't') return skipped + 2;
    return first === 'run' && FILE_SCRIPT.test(second) ? skipped + 3 : undefined;
  }
  const at = program === 'npx' ? 1 : PYTHON.test(program) && first === '-m' ? 2 : 0;
  const [name = '', next = ''] = words.slice(at);
  if (!Object.hasOwn(FILE_TOOLS, name)) return undefined;
  return skipped + at + (wordSet(FILE_TOOLS[name] ?? '').has(next) ? 2 : 1);
}

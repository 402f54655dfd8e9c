import { programName } from './command-pattern.ts';

/** Scripts and targets that check or build, by the names that projects give them. */
const CHECKING =
  /^(?:test|tests|t|tst|check|checks|verify|lint|lints|linter|typecheck|type-check|types|tsc|vet|spec|unit|e2e|integration|coverage|format-check|fmt-check|build|compile|all|ci|validate|eslint|prettier-check)(?:[:_-](?!fix|write|update|watch|publish|deploy)[\w:-]+)?$/u;
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

/** Tools that check, as programs of their own; the words must be there, in any order. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  tsc: ['--noEmit'],
  'vue-tsc': ['--noEmit'],
  prettier: ['--check'],
  black: ['--check'],
  isort: ['--check-only'],
  eslint: [],
  oxlint: [],
  stylelint: [],
  tslint: [],
  knip: [],
  cspell: [],
  vitest: [],
  jest: [],
  mocha: [],
  ava: [],
  pytest: [],
  mypy: [],
  pyright: [],
  pylint: [],
  flake8: [],
  tox: [],
  nox: [],
  rspec: [],
  rubocop: [],
  phpunit: [],
  phpstan: [],
  ctest: [],
  shellcheck: [],
  staticcheck: [],
};
/** Programs of which only these subcommands check. */
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 'check', 'clippy', 'build', 'bench', 'nextest'],
  go: ['test', 'vet', 'build'],
  dotnet: ['test', 'build'],
  deno: ['test', 'check', 'lint'],
  ruff: ['check'],
  biome: ['check', 'lint', 'ci'],
  'golangci-lint': ['run'],
  playwright: ['test'],
  mvn: ['test', 'verify', 'compile', 'package'],
  mvnw: ['test', 'verify', 'compile', 'package'],
  gradle: ['test', 'check', 'build', 'lint'],
  gradlew: ['test', 'check', 'build', 'lint'],
  rake: ['test', 'spec', 'lint'],
  swift: ['test', 'build'],
  mix: ['test', 'compile'],
  flutter: ['test', 'analyze'],
  dart: ['test', 'analyze'],
};
/** They run a script or a target of the project by its name. */
const SCRIPT_RUNNERS = new Set(['make', 'gmake', 'just', 'task', 'rake']);
const NODE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
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

/** True for a command that checks or builds the project, and changes nothing by its options. */
export function isCheck(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  if (rest.some((word) => CHANGING.test(word) || LEADS_OUT.test(word))) return false;
  const name = programName(program);
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'));
  if (NODE_MANAGERS.has(name)) {
    if (/^(?:run|run-script)$/u.test(first)) return CHECKING.test(second);
    if (/^(?:test|t|tst)$/u.test(first)) return true;
    if (name !== 'npm' && CHECKING.test(first)) return true;
  }
  if (/^python3?$/u.test(name) && rest[0] === '-m') return isTool(rest.slice(1));
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
  const needs = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (needs !== undefined) return needs.every((word) => rest.includes(word));
  if (name === 'node') return rest[0] === '--test' && rest.every(isPlainForNode);
  // Cargo takes settings, such as the compiler, by this option.
  if (name === 'cargo' && rest.includes('--config')) return false;
  const [first = ''] = rest.filter((word) => !word.startsWith('-'));
  if (name === 'cargo' && first === 'fmt') return rest.includes('--check');
  return Object.hasOwn(SUBCOMMANDS, name) && SUBCOMMANDS[name]?.includes(first) === true;
}

function isPlainForNode(word: string): boolean {
  return !word.startsWith('-') || TEST_OPTION.test(word);
}

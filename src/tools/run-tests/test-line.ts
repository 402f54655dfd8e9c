import type { ShellNode } from '../../core/permissions/command/shell/shell-syntax.ts';
import { programName } from '../../core/permissions/rules/command-pattern.ts';

/**
 * How a command line that runs tests tells of them. `exit`: it ends well only when they do; `hidden`: its
 * exit code may be that of something else, as of what they are piped into.
 */
export type TestsEnd = 'exit' | 'hidden';

/** A part of a line: whether it runs tests, and whether it ends well only when they do. */
interface Found {
  readonly runs: boolean;
  readonly told: boolean;
}

/** Words that must be there for a line to run tests: most lines have none, and are not parsed. */
const HINT =
  /test|\bt(?:st)?\b|spec|tox|nox|jest|mocha|\bava\b|\btap\b|jasmine|cypress|e2e|phpunit|check|verify|\bunit\b|cucumber|wdio|uvu|karma|pest/iu;

/** Tells if a command line is recognisably a test run; `undefined`: it is not. */
export async function testsIn(line: string): Promise<TestsEnd | undefined> {
  if (!HINT.test(line)) return undefined;
  const { parseShell } = await import('../../core/permissions/command/shell/shell-syntax.ts');
  const node = parseShell(line);
  if (node === undefined) return undefined;
  const { runs, told } = found(node);
  return runs ? (told ? 'exit' : 'hidden') : undefined;
}

function found(node: ShellNode): Found {
  switch (node.kind) {
    case 'command': {
      const runs = runsTests(node.words.map(({ value }) => value));
      return { runs, told: runs };
    }
    case 'pipeline': {
      const parts = node.nodes.map(found);
      const runs = parts.some((part) => part.runs);
      const last = parts.at(-1);
      return { runs, told: last?.told === true && parts.slice(0, -1).every((part) => !part.runs) };
    }
    case 'prefixed':
      return { runs: found(node.node).runs, told: false };
    case 'subshell':
      return found(node.body);
    case 'list':
      return node.nodes.map(found).reduce((before, next, at) => {
        const operator = node.operators[at - 1];
        const runs = before.runs || next.runs;
        if (operator === '||') return { runs, told: false };
        if (operator === ';') return { runs, told: next.told && !before.runs };
        return { runs, told: (!before.runs || before.told) && (!next.runs || next.told) };
      });
    default:
      return node satisfies never;
  }
}

/** Names that projects give to scripts and targets that run tests. */
const SCRIPT =
  /^(?:(?:tests?|specs?|unit|e2e)(?:[:._-][\w:.-]+)?|[\w.-]+[:._-](?:tests?|specs?|unit|e2e))$/u;
const NO_SCRIPT = /build|compile|lint|watch|clean|setup|prepare|install|types?|format|fix|serve/u;
/** Options with which nothing is run. */
const NOTHING =
  /^(?:--list(?:-?tests)?|--collect-only|--co|--dry-run|--help|-h|--version|-V|--no-run|-list|--init|--showConfig|--clear-?cache)$/iu;

const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Options of these with a value of their own. */
const WITH_VALUE = /^(?:--prefix|-C|--dir|--workspace|--filter|-F|--cwd|-p|--project|-f|--file)$/u;
const TOOLS = new Set(
  'vitest jest mocha ava tap tape jasmine uvu wdio cucumber cucumber-js pytest py.test tox nox nose2 rspec phpunit pest paratest ctest'.split(
    ' ',
  ),
);
/** Programs of which only these subcommands run tests. */
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  playwright: ['test'],
  cypress: ['run'],
  karma: ['start'],
  cargo: ['test', 'nextest'],
  go: ['test'],
  dotnet: ['test'],
  deno: ['test'],
  mvn: ['test', 'verify', 'integration-test'],
  mvnw: ['test', 'verify', 'integration-test'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
  swift: ['test'],
  mix: ['test'],
  flutter: ['test'],
  dart: ['test'],
  composer: ['test'],
  rails: ['test', 'spec'],
  bazel: ['test'],
  sbt: ['test'],
  lein: ['test'],
  stack: ['test'],
  cabal: ['test'],
  zig: ['test'],
  ng: ['test'],
  nx: ['test'],
  meson: ['test'],
};
const TARGETS = new Set(['make', 'gmake', 'just', 'task', 'rake', 'turbo']);
/** They start the program behind their own words; those of them with a subcommand only behind that. */
const STARTERS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  bunx: [],
  env: [],
  time: [],
  nice: [],
  timeout: [],
  'cross-env': [],
  c8: [],
  nyc: [],
  'xvfb-run': [],
  npm: ['exec', 'x'],
  pnpm: ['exec'],
  yarn: ['exec', 'run'],
  bundle: ['exec'],
  poetry: ['run'],
  uv: ['run'],
  pipenv: ['run'],
  coverage: ['run'],
};

/** True when the words of a command start a project's tests. */
function runsTests(words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  const name = programName(program);
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  if (own.some((word) => NOTHING.test(word))) return false;
  if (name === 'node') return own.includes('--test');
  if (/^(?:python[\d.]*|py)$/u.test(name)) return startsModule(rest);
  const isValue = (before: string): boolean =>
    WITH_VALUE.test(before) || (before === '-w' && name === 'npm');
  const plain = own.filter((word, at) => !word.startsWith('-') && !isValue(own[at - 1] ?? ''));
  if (MANAGERS.has(name) && startsScript(name, plain)) return true;
  if (Object.hasOwn(STARTERS, name)) return startsTests(rest, STARTERS[name] ?? []);
  if (TARGETS.has(name)) return plain.some(isScript);
  return TOOLS.has(name) || SUBCOMMANDS[name]?.some((one) => plain.includes(one)) === true;
}

function startsModule(words: readonly string[]): boolean {
  const at = words.indexOf('-m');
  return at >= 0 && (words[at + 1] === 'unittest' || runsTests(words.slice(at + 1)));
}

function startsScript(manager: string, [first = '', second = '']: readonly string[]): boolean {
  if (/^(?:test|t|tst)$/u.test(first)) return true;
  if (/^(?:run|run-script)$/u.test(first)) return isScript(second);
  return (manager !== 'npm' && isScript(first)) || (manager === 'yarn' && TOOLS.has(first));
}

function isScript(name: string): boolean {
  return SCRIPT.test(name) && !NO_SCRIPT.test(name);
}

function startsTests(words: readonly string[], subcommands: readonly string[]): boolean {
  let rest = words;
  if (subcommands.length > 0) {
    const at = words.findIndex((word) => !word.startsWith('-'));
    if (!subcommands.includes(words[at] ?? '')) return false;
    rest = words.slice(at + 1);
  }
  const at = rest.findIndex((word) => !/^-|^\w+=|^[\d.]+[smh]?$/u.test(word));
  return (
    at >= 0 &&
    runsTests(rest[at - 1] === '-m' ? ['python', '-m', ...rest.slice(at)] : rest.slice(at))
  );
}

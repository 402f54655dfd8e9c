import { told } from '../../domain/text/told.ts';
import { wordsOf } from '../../domain/text/words.ts';
import { type BelayError, fault } from '../../domain/failure.ts';

/** A project root's facts on its tests. */
export interface ProjectFiles {
  has(name: string): boolean;
  /** The text of a file of the root; '' when it is not there. */
  text(name: string): string;
}

export interface TestSelection {
  /** As they are given to the runner; relative to the folder. */
  readonly files: readonly string[];
  readonly name?: string | undefined;
}

export interface TestCommand {
  readonly runner: string;
  readonly command: string;
  /** Its JUnit XML files, relative to the folder. */
  readonly reports?: readonly string[];
}

/** Files of a root that decide; looked at before a command is made. */
export const PROJECT_FILES = wordsOf(`
  package.json pnpm-lock.yaml yarn.lock bun.lock deno.json pytest.ini pyproject.toml setup.cfg
  tox.ini conftest.py go.mod Cargo.toml pom.xml mvnw build.gradle build.gradle.kts gradlew
  Makefile
`);

/** The command that runs a project's tests; `undefined` when it has none that is known. Fails with `invalid`. */
export function testCommand(
  project: ProjectFiles,
  { files, name }: TestSelection,
): TestCommand | undefined {
  const paths = files.map((file) => quoted(checkedPath(file)));
  const wanted = name === undefined ? undefined : quoted(name);
  for (const detect of [node, deno, python, go, rust, maven, gradle, make]) {
    const found = detect(project, paths, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Detect = (
  project: ProjectFiles,
  paths: readonly string[],
  name: string | undefined,
) => TestCommand | undefined;

/** The Node runners' options for a name; files are plain arguments. */
const NODE_RUNNERS: readonly (readonly [mark: RegExp, runner: string, name: string])[] = [
  [/\bvitest\b/u, 'vitest', '-t'],
  [/\bjest\b|react-scripts test/u, 'jest', '-t'],
  [/\bmocha\b/u, 'mocha', '--grep'],
  [/\bnode\b.*--test\b/u, 'node', '--test-name-pattern'],
  [/\bplaywright test\b/u, 'playwright', '--grep'],
  [/\bava\b/u, 'ava', '--match'],
];

const node: Detect = (project, paths, name) => {
  const script = scriptIn(project.text('package.json'));
  if (script === undefined) return undefined;
  const [, runner = 'npm', flag] = NODE_RUNNERS.find(([mark]) => mark.test(script)) ?? [];
  if (flag === undefined && (paths.length > 0 || name !== undefined)) throw noSelection(script);
  const rest = [...paths, ...(name === undefined ? [] : [`${flag} ${name}`])];
  // CI: no runner watches, none asks. npm hands on what stands behind the dashes.
  const [call, dashes] = project.has('pnpm-lock.yaml')
    ? ['pnpm test', '']
    : project.has('yarn.lock')
      ? ['yarn test', '']
      : project.has('bun.lock')
        ? ['bun run test', '']
        : ['npm test', ' --'];
  return {
    runner,
    command: `CI=true ${call}${rest.length === 0 ? '' : `${dashes} ${rest.join(' ')}`}`,
  };
};

function scriptIn(text: string): string | undefined {
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: { readonly test?: unknown } };
    const test = scripts?.test;
    return typeof test === 'string' && !/no test specified/u.test(test) ? test : undefined;
  } catch {
    return undefined;
  }
}

const deno: Detect = (project, paths, name) =>
  project.has('deno.json')
    ? {
        runner: 'deno',
        command: join('deno test', paths, name === undefined ? '' : `--filter ${name}`),
      }
    : undefined;

const python: Detect = (project, paths, name) => {
  const configured =
    project.has('pytest.ini') ||
    project.has('conftest.py') ||
    /\bpytest\b/u.test(
      `${project.text('pyproject.toml')}\n${project.text('setup.cfg')}\n${project.text('tox.ini')}`,
    );
  if (!configured) return undefined;
  const base = 'python3 -m pytest -q --tb=short -rfE';
  return { runner: 'pytest', command: join(base, paths, name === undefined ? '' : `-k ${name}`) };
};

/** Go tests packages: a file stands for the folder it lies in. */
const go: Detect = (project, paths, name) => {
  if (!project.has('go.mod')) return undefined;
  const folders = paths.map((path) => {
    const plain = path.slice(1, -1);
    const folder = plain.endsWith('.go')
      ? plain.slice(0, Math.max(0, plain.lastIndexOf('/')))
      : plain;
    return quoted(folder === '' ? '.' : folder.startsWith('.') ? folder : `./${folder}`);
  });
  const packages = folders.length === 0 ? ['./...'] : [...new Set(folders)];
  return {
    runner: 'go',
    command: join(
      'go test -json',
      [...(name === undefined ? [] : [`-run ${name}`]), ...packages],
      '',
    ),
  };
};

/** Cargo knows targets, not files: `tests/a.rs` is the target `a`. */
const rust: Detect = (project, paths, name) => {
  if (!project.has('Cargo.toml')) return undefined;
  const targets = paths.map((path) => {
    const stem = /^'(?:.*\/)?tests\/(?<stem>[\w-]+)\.rs'$/u.exec(path)?.groups?.['stem'];
    if (stem === undefined) throw noSelection('cargo test, which takes files of tests/ only');
    return `--test ${stem}`;
  });
  return {
    runner: 'cargo',
    command: join('cargo test --no-fail-fast', targets, name === undefined ? '' : name),
  };
};

const maven: Detect = (project, paths, name) => {
  if (!project.has('pom.xml')) return undefined;
  const call = project.has('mvnw') ? './mvnw' : 'mvn';
  return {
    runner: 'maven',
    command: join(`${call} -B -q test`, [classes(paths, name, '-Dtest=', '#')], ''),
    reports: ['target/surefire-reports'],
  };
};

const gradle: Detect = (project, paths, name) => {
  if (!project.has('build.gradle') && !project.has('build.gradle.kts')) return undefined;
  const call = project.has('gradlew') ? './gradlew' : 'gradle';
  return {
    runner: 'gradle',
    command: join(`${call} test --console=plain`, [classes(paths, name, '--tests ', '.')], ''),
    reports: ['build/test-results/test'],
  };
};

/** Java's runners know classes: a file stands for the class of its name. */
function classes(
  paths: readonly string[],
  name: string | undefined,
  flag: string,
  method: string,
): string {
  const names = paths.map(
    (path) => /(?<!\w)(?<stem>\w+)\.\w+'$/u.exec(path)?.groups?.['stem'] ?? '',
  );
  const wanted = name === undefined ? '' : name.slice(1, -1);
  if (names.length === 0 && wanted === '') return '';
  if (names.length === 0) return `${flag}${quoted(`*${method === '#' ? '#' : ''}${wanted}`)}`;
  return names
    .map((one) => `${flag}${quoted(wanted === '' ? one : `${one}${method}${wanted}`)}`)
    .join(' ');
}

const make: Detect = (project, paths, name) => {
  if (!/^test\s*:/mu.test(project.text('Makefile'))) return undefined;
  if (paths.length > 0 || name !== undefined) throw noSelection('make test');
  return { runner: 'make', command: 'make test' };
};

function join(base: string, rest: readonly string[], last: string): string {
  return [base, ...rest, last].filter((part) => part !== '').join(' ');
}

/** For the shell that runs commands: nothing in it can become another command. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f'"`$\\!%]/u.test(text)) {
    const message = told`${JSON.stringify(text)} has characters that a command line cannot hold safely. Use run_command for it.`;
    throw fault('invalid', message);
  }
  return `'${text}'`;
}

function checkedPath(path: string): string {
  if (!path.startsWith('-')) return path;
  const message = told`${path} looks like an option, not like a file. Name files, or use run_command for options.`;
  throw fault('invalid', message);
}

function noSelection(runner: string): BelayError {
  const message = told`The tests here run by "${runner}", of which it is not known how to choose files or a name. Run all tests, or choose with run_command.`;
  return fault('invalid', message);
}

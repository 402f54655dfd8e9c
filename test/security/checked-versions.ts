import { spawnSync } from 'node:child_process';
import { isInstalled, PATH } from './scratch.ts';

/**
 * The versions that the tables of options were checked with: what a program answers to `--version`, or to an option that
 * it does not know. Other versions have other options and other words. To check one more, run the tests with
 * `BELAY_ANY_VERSION=1`, and add it here.
 */
const CHECKED: readonly RegExp[] = [
  /\(GNU coreutils\) 9\.1$/u,
  /\(GNU diffutils\) 3\.8$/u,
  /\(GNU findutils\) 4\.9\.0$/u,
  /\(GNU grep\) 3\.8$/u,
  /\(GNU sed\) 4\.9$/u,
  /^GNU strings \(GNU Binutils.*\) 2\.40$/u,
  /^GNU bash, version 5\.2\./u,
  / from util-linux 2\.38\./u,
  / from procps-ng 4\.0\.2$/u,
  /^git version 2\.39\./u,
  /^ripgrep 15\.0\./u,
  /^fd(?:find)? 8\.6\./u,
  /^tree v2\.1\.0 /u,
  /^jq-1\.6$/u,
  /^file-5\.44$/u,
  /^xxd 2022-01-14 /u,
  /^6\.02$/u, // shasum
  /^bc 1\.07\.1$/u,
  /^hostname 3\.23$/u,
  /^ss utility, iproute2-6\.1\./u,
  /^locale \(.*\) 2\.36$/u,
  /^Docker version 28\./u,
  /^awk: not an option: --version$/u, // mawk
  /^Usage: .*which \[-a\] args$/u, // of debianutils
];

/** They belong to the shell. */
const BUILT_IN = new Set(['cd', 'echo', 'printf', 'test', 'time', 'true', 'false', 'pwd']);

const cache = new Map<string, string | undefined>();

/**
 * Returns why the program of this machine is not compared with its table, or `undefined` if it is: it must be installed,
 * in a version that the table was checked with.
 */
export function findReasonToSkip(name: string): string | undefined {
  const program = BUILT_IN.has(name) ? 'bash' : name;
  if (!cache.has(program)) cache.set(program, judge(program));
  return cache.get(program);
}

function judge(program: string): string | undefined {
  if (!isInstalled(program)) return `${program} is not installed`;
  if (process.env['BELAY_ANY_VERSION'] !== undefined) return undefined;
  const answer = spawnSync(program, ['--version'], {
    input: '',
    timeout: 10_000,
    env: { PATH, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  const [first = ''] = `${answer.stdout ?? ''}${answer.stderr ?? ''}`.trim().split('\n');
  return isChecked(first) ? undefined : `not checked with this version: ${first || program}`;
}

/** Returns whether this first line about a version is one that the tables were checked with. */
export const isChecked = (line: string): boolean => CHECKED.some((one) => one.test(line));

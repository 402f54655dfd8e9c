/** Keeps git from running what a repository names (security, rule 11); given by the environment. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['core.askPass', 'true'],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', ''],
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'all'],
  ['diff.submodule', 'short'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['format.pretty', 'medium'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
];

/** Programs that turn the files into something else on their way in or out, by the driver's name. */
function withoutFilter(driver: string): (readonly [string, string])[] {
  return [
    [`filter.${driver}.clean`, ''],
    [`filter.${driver}.smudge`, ''],
    [`filter.${driver}.process`, ''],
    [`filter.${driver}.required`, 'false'],
  ];
}

/** The environment of our own git calls, without the repository's filter drivers. */
export function gitEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  filters: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // No protocol has this name: nothing is ever fetched, whatever is configured.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
    LC_ALL: 'C.UTF-8',
  };
  for (const name of ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'SYSTEMROOT', 'PATHEXT']) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  const pairs = [...SETTINGS, ...filters.flatMap(withoutFilter)];
  environment['GIT_CONFIG_COUNT'] = String(pairs.length);
  for (const [index, [key, value]] of pairs.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** Subcommands that may be called, and what they are called with so that they run nothing. */
const GUARDS: Readonly<Record<string, readonly string[]>> = {
  status: ['--ignore-submodules=all'],
  diff: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  log: ['--no-ext-diff', '--no-textconv', '--no-show-signature'],
  show: ['--no-ext-diff', '--no-textconv', '--no-show-signature'],
  blame: ['--no-textconv'],
  'for-each-ref': [],
  'rev-parse': [],
  'ls-files': [],
  'ls-tree': [],
  config: [],
  'cat-file': [],
};

/** Options that write or run something, which no caller of ours may pass on. */
const FORBIDDEN =
  /^--(?:output|ext-diff|textconv|open-files-in-pager|show-signature|contents|exec|upload-pack)(?:=|$)/u;

/** The arguments of a call, guarded; `undefined` when it is not one of those that only read. */
export function guardedArguments(args: readonly string[]): readonly string[] | undefined {
  const [subcommand = '', ...rest] = args;
  const guard = Object.hasOwn(GUARDS, subcommand) ? GUARDS[subcommand] : undefined;
  if (guard === undefined) return undefined;
  const end = rest.findIndex((word) => word === '--' || word === '--end-of-options');
  const options = end < 0 ? rest : rest.slice(0, end);
  if (options.some((word) => FORBIDDEN.test(word))) return undefined;
  if (subcommand === 'cat-file' && options[0] !== '-t') return undefined;
  if (subcommand === 'config' && !options.includes('--list')) return undefined;
  return [subcommand, ...guard, ...rest];
}

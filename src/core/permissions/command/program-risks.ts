import { wordsOf } from '../../../domain/text/words.ts';
import { programName } from '../rules/command-pattern.ts';
import { type Risk, type RiskCode, createRisk } from '../risks.ts';

/** Programs by what they do; behind a colon: with this subcommand or option. */
const PROGRAMS: Readonly<Partial<Record<RiskCode, string>>> = {
  privileged: 'sudo su doas pkexec run0',
  deletes: 'rm rmdir unlink shred git:rm',
  'deletes-found': 'find:-delete',
  'runs-found': 'find:-exec find:-execdir find:-ok find:-okdir parallel entr watchexec',
  discards: 'git:clean git:reset git:checkout git:restore git:switch git:stash',
  rewrites: 'git:rebase git:filter-branch git:filter-repo git:replace',
  pushes: 'git:push',
  publishes: `npm:publish pnpm:publish yarn:publish cargo:publish gem:push twine docker:push
    podman:push gh glab poetry:publish`,
  remote: `kubectl helm terraform tofu pulumi aws gcloud az ansible ansible-playbook fly heroku vercel
    netlify wrangler firebase`,
  containers: 'docker podman docker-compose nerdctl lima colima vagrant',
  system: `systemctl service launchctl crontab at mount umount shutdown reboot useradd usermod passwd
    iptables ufw sysctl dd mkfs diskutil defaults ln`,
  stops: 'kill pkill killall',
  permissions: 'chmod chown chgrp setfacl chattr umask',
  installs: `apt apt-get dnf yum pacman apk zypper brew port snap flatpak nix nix-env choco winget scoop
    npm:install npm:i npm:ci npm:add npm:update npm:up npm:uninstall npm:rebuild npm:link npm:dedupe
    pnpm:install pnpm:i pnpm:add pnpm:update pnpm:remove pnpm:import yarn:install yarn:add yarn:remove
    yarn:upgrade yarn:up bun:install bun:add bun:remove pip:install pip3:install pip:uninstall uv:add
    uv:sync uv:pip pipx poetry:add poetry:install pipenv conda mamba gem:install bundle:install
    cargo:install cargo:add cargo:update go:install go:get go:mod composer dotnet:add dotnet:restore
    rustup nvm pyenv asdf mise corepack`,
  downloads:
    'npx bunx uvx npm:exec npm:create npm:init pnpm:dlx pnpm:create yarn:dlx yarn:create bun:x',
  network: `curl wget http https ssh scp sftp rsync nc ncat netcat socat telnet ftp ping dig nslookup host
    whois traceroute nmap openssl npm:view npm:info npm:search npm:outdated npm:audit pip:download
    pip:index cargo:search git:ls-remote git:send-email netstat`,
  'git-fetches': 'git:fetch git:pull git:clone git:submodule git:lfs',
  'runs-code': `make gmake just task rake ninja cmake ctest bazel buck gradle gradlew mvn mvnw ant sbt mix
    npm:test npm:t npm:tst npm:run npm:run-script npm:start npm:restart npm:stop pnpm yarn bun cargo go
    dotnet swift deno flutter dart poetry:run uv:run bundle:exec composer:run pre-commit lefthook husky
    pytest tox nox mypy pyright pylint flake8 black isort ruff eslint oxlint stylelint tslint prettier
    biome tsc vue-tsc knip cspell vitest jest mocha ava tap playwright cypress webpack vite rollup
    esbuild tsup turbo nx lerna next nuxt astro rspec rubocop phpunit phpstan golangci-lint staticcheck
    shellcheck electron storybook typedoc sphinx-build mkdocs alembic django-admin rails`,
  'given-code': 'eval source . trap alias function',
  commits: 'git:commit git:merge git:revert git:cherry-pick git:am',
  'git-config': 'git:config',
  'git-changes': `git:add git:branch git:tag git:mv git:remote git:apply git:init git:worktree git:gc git:notes
    git:bisect git:update-index git:symbolic-ref git:reflog git:update-ref`,
  'in-place': 'sed:-i sed:--in-place perl:-i awk:-i',
  writes: 'sort:-o sort:--output tee',
  moves: 'mv cp install',
  changes: 'mkdir touch truncate',
  'unknown-files': 'tar zip gzip gunzip bzip2 xz unzip patch split csplit',
  environment: 'env printenv export declare set',
};

const CODES = new Map(
  Object.entries(PROGRAMS).flatMap(([code, text]) =>
    wordsOf(text).map((name) => [name, code as RiskCode] as const),
  ),
);
const TAKES_SUBCOMMANDS = new Set([...CODES.keys()].map((key) => key.replace(/:\w.*$/u, ':')));
/** Programs that run code: a file that is named, a text of the command, or their input. */
const INTERPRETER =
  /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|rscript|julia|osascript|(?:ba|z|da|k|fi)?sh|pwsh|powershell)$/u;
const GIVEN_CODE = /^(?:-[a-z]*[ceEpr]|--(?:eval|print|command|run))$/u;
/** Paths that are named in a sentence. */
const MAX_NAMED = 3;

/** Finds what a program does that is not known to be harmless, by its words. */
export function findProgramRisk([program = '', ...words]: readonly string[]): Risk {
  const name = programName(program);
  const options = words.filter((word) => word.startsWith('-'));
  const operands = words.filter((word) => !word.startsWith('-'));
  const [first = ''] = operands;
  const code =
    CODES.get(`${name}:${first}`) ??
    findOptionCode(name, options) ??
    (INTERPRETER.test(name) ? findCodeSource(options, operands) : CODES.get(name));
  if (code !== undefined) return nameValues(code, name, options, operands);
  if (program.includes('/')) return createRisk('runs-file', program);
  return createRisk(
    'unknown-program',
    TAKES_SUBCOMMANDS.has(`${name}:`) ? `${name} ${first}` : name,
  );
}

/** Finds what a program that is known to be harmless does with an option that the table does not have. */
export function findOptionRisk(name: string, option: string, words: readonly string[]): Risk {
  const code = findOptionCode(name, [option]);
  if (code === undefined) return createRisk('unknown-option', name, option);
  return nameValues(code, name, [option], words.slice(-1));
}

function findOptionCode(name: string, options: readonly string[]): RiskCode | undefined {
  return options
    .map((option) => CODES.get(`${name}:${option.startsWith('--') ? option : option.slice(0, 2)}`))
    .concat(options.map((option) => CODES.get(`${name}:${option}`)))
    .find((code) => code !== undefined);
}

function findCodeSource(options: readonly string[], operands: readonly string[]): RiskCode {
  if (options.some((option) => GIVEN_CODE.test(option))) return 'given-code';
  if (options.includes('-m') || options.some((option) => option.startsWith('--test')))
    return 'runs-code';
  return operands.length > 0 ? 'runs-file' : 'input-code';
}

function nameValues(
  code: RiskCode,
  name: string,
  options: readonly string[],
  operands: readonly string[],
): Risk {
  const files = operands.slice(name === 'git' ? 1 : 0);
  const more = files.length > MAX_NAMED ? [...files.slice(0, MAX_NAMED), '…'] : files;
  const named = more.join(', ');
  const [first = name, second = ''] = operands;
  switch (code) {
    case 'deletes':
      if (named === '') return createRisk('deletes-found');
      return createRisk(
        options.some((option) => /^-[a-z]*r|^--recursive$/iu.test(option))
          ? 'deletes-folder'
          : code,
        named,
      );
    case 'pushes':
      return second === '' ? createRisk(code) : createRisk('pushes-to', second);
    case 'network': {
      const found = [...new Set(operands.concat(options).flatMap(findHosts))];
      const isSubcommand = CODES.has(`${name}:${first}`);
      const hosts = found.length > 0 || isSubcommand ? found : findBareHost(operands.at(-1));
      return hosts.length === 0 ? createRisk(code) : createRisk('contacts', hosts.join(', '));
    }
    case 'downloads':
      return createRisk(code, CODES.has(`${name}:${first}`) ? second : first);
    case 'runs-file':
    case 'git-changes':
      return createRisk(code, first);
    case 'remote':
    case 'containers':
    case 'unknown-files':
    case 'system':
      return createRisk(code, name);
    case 'changes':
    case 'moves':
    case 'writes':
    case 'in-place':
      return named === '' ? createRisk('unknown-files', name) : createRisk(code, named);
    default:
      return createRisk(code);
  }
}

/** Finds the hosts of addresses, and of words such as `user@host:path`. */
function findHosts(word: string): readonly string[] {
  const addresses = word.match(/[a-z][\w+.-]*:\/\/[^\s'"]+/giu) ?? [];
  const hosts = addresses.flatMap((one) => (URL.canParse(one) ? [new URL(one).host] : []));
  const login = /^[\w.-]+@(?<host>[\w.-]+)(?::|$)/u.exec(word)?.groups?.['host'];
  return login === undefined ? hosts : [...hosts, login];
}

/** Finds the host at the start of a word without a scheme, such as `registry.example/a` or `host:path`. */
function findBareHost(word = ''): readonly string[] {
  return /^(?:(?:[\w-]+\.)+[a-z]{2,}(?=[/:?#]|$)|[\w-]+(?=:))/iu.exec(word) ?? [];
}

import path from 'node:path';
import { wordsOf } from '../../../domain/text/words.ts';
import { SECRET_FOLDERS } from '../../../core/permissions/secret-files.ts';
import { readRule } from '../../../core/permissions/rules/read-rule.ts';
import { type RuleEffect } from '../../../domain/permissions/permission-rule.ts';
import { pathBelow } from '../../../domain/paths.ts';
import type { ReadOnlyRun } from '../../../core/ports/commands/read-only-sandbox.ts';

/** Places of credentials below the home folder; commands in the sandbox see none of them. */
const CREDENTIALS = [
  ...SECRET_FOLDERS,
  ...wordsOf(`
    .netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf .vault-token .cargo/credentials
    .cargo/credentials.toml .gem/credentials .terraform.d/credentials.tfrc.json .config/gcloud
    .config/gh .config/git/credentials .config/containers/auth.json .local/share/keyrings
    Library/Keychains .dotnet/corefx
  `),
];

/** Folders below the home folder with packages and toolchains, which programs need and which hold no credentials. */
const TOOL_FOLDERS = wordsOf(`
  .npm/_cacache .npm/_npx .nvm .volta .fnm .bun .deno .cache/deno .cache/node .cache/yarn .yarn/berry/cache
  .local/share/pnpm .local/share/fnm .local/share/mise .asdf .cargo/bin .cargo/registry .cargo/git .rustup
  go/pkg go/bin .cache/go-build .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .sdkman .pyenv .rbenv
  .cache/pip .cache/uv .local/share/uv .local/lib .nuget/packages .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/tools .pub-cache .cache/ms-playwright
  Library/Caches/go-build Library/Caches/pip Library/Caches/Yarn Library/Caches/deno Library/Caches/ms-playwright
  Library/pnpm Library/Python
`);

/** Temp folders of the system, and what a sign-in leaves for programs. */
const SHARED_FOLDERS = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp'];
const SIGN_IN_FOLDERS = ['/run/user', '/run/secrets', '/var/run/secrets'];
/** The runtime lets commands write here, whatever its settings say. */
const RUNTIME_FOLDERS = ['/tmp/claude', '/private/tmp/claude'];

/** A host as the sandbox takes it; anything else would make it refuse all of its rules. */
const HOST = /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)+(?::\d{1,5})?$|^localhost(?::\d{1,5})?$/u;

/** Characters of a pattern in the sandbox's paths. */
const PATTERN = /[*?[\]]/u;

/** Sources of the sandbox's rules; no file of the workspace among them. */
export interface SandboxPlaces {
  /** The workspace folders, real paths. */
  readonly roots: readonly string[];
  /** The temp folder of the system, real path: commands do not see it. */
  readonly temp: string;
  readonly home: string;
  /** Belay's own folders: neither read nor written. */
  readonly ownFolders: readonly string[];
  /** Hosts of the person's own rules. */
  readonly allowedHosts: readonly string[];
  readonly deniedHosts: readonly string[];
}

/** The settings file of the sandbox runtime, as far as we use it. */
export interface SandboxRules {
  readonly network: {
    readonly allowedDomains: readonly string[];
    readonly deniedDomains: readonly string[];
  };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    /** Exceptions from `denyRead`. */
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

/** A temp folder that only commands in the sandbox use; real paths. */
export interface PrivateTemp {
  /** Commands write here. */
  readonly files: string;
  /** The runtime keeps its own files here; commands only read them. */
  readonly runtime: string;
}

/** Returns rules for an approved command: it writes in the workspace, and sees no credentials. */
export function sandboxRules(
  places: SandboxPlaces,
  temp: PrivateTemp,
  programs: readonly string[],
): SandboxRules {
  const { roots } = places;
  const shared = sharedFolders(places);
  const hidden = [...listCredentials(places), ...places.ownFolders];
  return {
    network: networkRules(places),
    filesystem: {
      denyRead: [...shared, ...hidden],
      allowRead: [...roots, temp.runtime, ...programs.filter((one) => isBelow(shared, one))],
      allowWrite: [...roots, temp.files],
      denyWrite: [...RUNTIME_FOLDERS, ...hidden],
    },
  };
}

/**
 * Returns rules for a command that nobody approved: it writes in its temp folder alone, and reads neither what is hidden
 * in the workspace nor the home folder, except for tools.
 */
export function readOnlyRules(
  places: SandboxPlaces,
  temp: PrivateTemp,
  { hidden }: ReadOnlyRun,
  programs: readonly string[],
): SandboxRules {
  const { roots, home, ownFolders } = places;
  const tools = [...TOOL_FOLDERS.map((name) => path.join(home, name)), ...programs];
  const shared = sharedFolders(places);
  return {
    network: networkRules(places),
    filesystem: {
      denyRead: [
        home,
        ...shared,
        ...SIGN_IN_FOLDERS,
        ...listCredentials(places),
        ...ownFolders,
        ...hidden,
      ],
      allowRead: [
        ...roots,
        temp.runtime,
        ...tools.filter((one) => isBelow([home, ...shared], one)),
      ],
      allowWrite: [temp.files],
      denyWrite: [...RUNTIME_FOLDERS, ...roots],
    },
  };
}

/** A hidden folder itself on the search path would open all of it. */
function isBelow(hidden: readonly string[], folder: string): boolean {
  return !hidden.includes(folder) && hidden.some((one) => (pathBelow(one, folder) ?? '') !== '');
}

const listCredentials = ({ home }: SandboxPlaces): readonly string[] =>
  CREDENTIALS.map((name) => path.join(home, name));

const sharedFolders = ({ temp }: SandboxPlaces): readonly string[] => [
  ...new Set([temp, ...SHARED_FOLDERS]),
];

function networkRules({ allowedHosts, deniedHosts }: SandboxPlaces): SandboxRules['network'] {
  return {
    allowedDomains: allowedHosts.filter(isHost).flatMap(withPorts),
    deniedDomains: deniedHosts.filter(isHost),
  };
}

/** The first folder whose name the sandbox would read as a pattern for others. */
export function unclearFolder({ roots, temp }: SandboxPlaces): string | undefined {
  return [...roots, temp].find(isPattern);
}

/** Returns whether the sandbox would read a path as a pattern for others. */
export function isPattern(file: string): boolean {
  return PATTERN.test(file);
}

/** Hosts of the person's rules that hold everywhere; `rules` as the setting has them. */
export function hostsOfRules(rules: readonly unknown[], effect: RuleEffect): readonly string[] {
  return rules.flatMap((raw) => {
    const read = readRule(raw);
    if (!('rule' in read)) return [];
    const { rule } = read;
    const everywhere = rule.off !== true && rule.in === undefined && rule.tool === undefined;
    return everywhere && rule.effect === effect && rule.host !== undefined
      ? [rule.host.trim().toLowerCase()]
      : [];
  });
}

function isHost(host: string): boolean {
  // "*.com" would be half of the world; a zone has at least two labels.
  return HOST.test(host) && !/^\*\.[^.]+$/u.test(host);
}

/** A rule without a port means the usual ones; to the sandbox it would mean all. */
function withPorts(host: string): readonly string[] {
  return /:\d+$/u.test(host) ? [host] : [`${host}:443`, `${host}:80`];
}

import path from 'node:path';
import { wordsOf } from '../../../domain/text/words.ts';
import { SECRET_FOLDERS } from '../../../core/permissions/secret-files.ts';
import { readRule } from '../../../core/permissions/rules/read-rule.ts';
import { type RuleEffect } from '../../../domain/permissions/permission-rule.ts';

/** Places of credentials below the home folder; commands in the sandbox see none of them. */
const CREDENTIALS = [
  ...SECRET_FOLDERS,
  ...wordsOf(`
    .netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf .vault-token .cargo/credentials
    .cargo/credentials.toml .gem/credentials .terraform.d/credentials.tfrc.json .config/gcloud
    .config/gh .config/git/credentials .config/containers/auth.json .local/share/keyrings
    Library/Keychains
  `),
];

/** A host as the sandbox takes it; anything else would make it refuse all of its rules. */
const HOST = /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)+(?::\d{1,5})?$|^localhost(?::\d{1,5})?$/u;

/** Characters of a pattern in the sandbox's paths. */
const PATTERN = /[*?[\]]/u;

/** Sources of the sandbox's rules; no file of the workspace among them. */
export interface SandboxPlaces {
  /** The workspace folders, real paths. */
  readonly roots: readonly string[];
  /** The temp folder, real path. */
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
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

/** Writing in the workspace and the temp folder only, no credentials, only hosts that rules allow. */
export function sandboxRules(places: SandboxPlaces): SandboxRules {
  const { roots, temp, home, ownFolders, allowedHosts, deniedHosts } = places;
  const credentials = CREDENTIALS.map((name) => path.join(home, name));
  const hidden = [...credentials, ...ownFolders];
  return {
    network: {
      allowedDomains: allowedHosts.filter(isHost).flatMap(withPorts),
      deniedDomains: deniedHosts.filter(isHost),
    },
    filesystem: { denyRead: hidden, allowWrite: [...roots, temp], denyWrite: hidden },
  };
}

/** The first folder whose name the sandbox would read as a pattern for others. */
export function unclearFolder({ roots, temp }: SandboxPlaces): string | undefined {
  return [...roots, temp].find((folder) => PATTERN.test(folder));
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

import { wordSet } from '../../domain/text/words.ts';
import { componentsOf } from '../../domain/paths.ts';
import { plainName } from './plain-name.ts';

/** Formats in which lists of values are kept, as opposed to code that only names them. */
const LISTS = String.raw`(?:json|jsonc|json5|ya?ml|toml|ini|csv|tsv|xml|properties|txt|cfg|conf|config|plist|env|xlsx?|db|sqlite)`;

/** Files that hold passwords, tokens and keys by convention or by their role. */
const NAMES: readonly RegExp[] = [
  // environments
  /^(?:\.env(?:[._-].+)?|\.envrc|\.flaskenv|.+\.env|\.dev\.vars(?:\..+)?|env\.(?:local|prod|production|staging))$/u,
  // containers of keys, and keys by their format
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bks|keystore|keytab|kdbx?|ppk|ovpn|agekey|secrets?|kubeconfig|tfvars)$/u,
  /(?:^|[._-])(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/u,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-](?!pub$).+)?$/u,
  /^(?:ssh_host_.+_key|private[-_.]?key.*|secring\..+|(?:deploy|host|ssh|signing|private|master)[-_.]?keys?|(?:private|secret)[\w-]*\.(?:asc|gpg|pgp)|(?:[\w-]+[-_])?keys?\.json|.+-adminsdk-.+\.json|key[34]\.db|logins\.json|[\w.-]+\.keychain(?:-db)?)$/u,
  // what programs keep to sign in with
  /^(?:\.netrc|_netrc|\.authinfo|\.pypirc|\.npmrc|\.yarnrc(?:\.yml)?|\.git-credentials|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.dockercfg|\.dockerconfigjson|\.htpasswd|\.htdigest|\.s3cfg|\.boto|\.databrickscfg|\.terraformrc|terraform\.rc|\.msmtprc|\.fetchmailrc|\.?rclone\.conf|\.?vault[-_](?:token|pass(?:word)?)(?:\.txt)?|kubeconfig|wp-config\.php|local\.settings\.json|auth\.json|token\.(?:json|pickle)|(?:key|keystore|signing)\.properties|accesskeys\.csv|rootkey\.csv|cookies\.(?:txt|json|sqlite)|\.ci-token|settings-security\.xml|kaggle\.json|ngrok\.ya?ml|pip\.conf|\.condarc|\.renviron|\.erlang\.cookie|\.passwd-s3fs|\.(?:mutt|mbsync|offlineimap)rc|\.viminfo|\.dbshell|kube\.config|connectionstrings\.config|htpasswd|passwd)$/u,
  // tokens, and what opens wallets and networks
  /^(?:\.(?:[\w-]+[-_.])?token|[\w-]+[-_]token(?:\.txt)?|token\.txt|\.?restic[-_.]pass(?:word)?|wallet\.dat|utc--.+|(?:seed|mnemonic)(?:[-_]phrase)?\.txt|wg\d+\.conf|wireguard\.conf|sftp(?:-config)?\.json|\.ftpconfig)$/u,
  /^\..+_history$/u,
  /^(?:client_secret|service[-_]?account|gha-creds).*\.json$/u,
  /^terraform\.tfstate(?:\..*)?$|\.tfstate$|\.tfvars\.json$/u,
  // by what they are called
  new RegExp(
    String.raw`^(?:.*[._-])?(?:secrets?|credentials?|creds|passwords?|passwd|api[_-]?keys?)(?:[._-](?:local|dev|development|prod|production|staging|test))?\.${LISTS}$`,
    'u',
  ),
  /^(?:\.?credentials|\.secrets?|\.passwords?|\.sentryclirc)$/u,
];
/** Names of files that show the form only. */
const EXAMPLES =
  /\.(?:example|sample|template|tmpl|dist|defaults?|schema)(?:\.|$)|(?:^|[._-])(?:example|sample)\.|^\.env\.d\.ts$/u;
/** Marks of a copy: `.env~`, `#.env#`, `.env.local.bak`, `.env.2026-01-31`, `.env (copy)`. */
const COPY =
  /(?:~|#|[._-](?:bak|backup|old|orig|original|save|saved|prev|previous|copy|tmp|temp|swp|swo|disabled|off|rej|dpkg-\w+|rpm(?:save|new|orig)|ucf-\w+|\d{1,3}|\d{4}-?\d\d-?\d\d(?:[\dt_-]*\d)?|gz|zip|bz2|xz|tar|tgz)|\d?\s?\((?:copy|\d+)\)|\s(?:-\s)?copy(?:\s\d+)?)$/u;

/** Folders below which everything counts, wherever they are. */
export const SECRET_FOLDERS = wordSet(`
  .ssh .gnupg .aws .azure .gcloud .kube .password-store .docker
`);
/** Places below a folder of settings where programs keep what they sign in with. */
const SECRET_PLACES =
  /(?:^|\/)(?:\.config\/(?:gcloud|gh|hub|op|doctl)|\.terraform\.d|\.m2|\.secrets)(?:\/|$)/u;
/** Settings of a repository, in which addresses may have passwords. */
const REPOSITORY_SETTINGS = /(?:^|\/)\.git\/(?:.+\/)?(?:config(?:\.worktree)?|credentials)$/u;
/** Lists and files without a kind in a folder of secrets; code there is code. */
const IN_SECRETS = new RegExp(
  String.raw`(?:^|\/)(?:secrets|credentials)\/(?:.+\/)?[^/]+\.${LISTS}$`,
  'u',
);

/** True for a file that holds secrets by its name or its folder's, copies, too; real path. */
export function isSecretFile(path: string): boolean {
  const components = componentsOf(path).map(plainName);
  if (components.some((component) => SECRET_FOLDERS.has(component))) return true;
  const place = components.join('/');
  if ([SECRET_PLACES, REPOSITORY_SETTINGS, IN_SECRETS].some((one) => one.test(place))) return true;
  return spellings(components.at(-1) ?? '').some((name) => isSecretName(name));
}

function isSecretName(name: string): boolean {
  return NAMES.some((pattern) => pattern.test(name)) && !EXAMPLES.test(name);
}

/** The name, and what it is a copy of: each suffix may hide another. */
function spellings(name: string): readonly string[] {
  const found = [name];
  // vim puts a dot before the name, Emacs a hash.
  const swapped = /^\.(?<of>.+)\.sw[a-p]$/u.exec(name)?.groups?.['of'];
  let at = swapped ?? name.replace(/^\.?#/u, '');
  for (let times = 0; times < 8; times += 1) {
    found.push(at);
    const shorter = at.replace(COPY, '');
    if (shorter === at) break;
    at = shorter;
  }
  return found;
}

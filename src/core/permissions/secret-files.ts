import { componentsOf } from './paths.ts';
import { plainName } from './plain-name.ts';

/** Files that hold passwords, tokens and keys by convention; their examples do not count. */
const NAMES =
  /^(?:\.env(?:\..+)?|\.envrc|.+\.env|\.netrc|_netrc|\.pypirc|\.npmrc|\.yarnrc|\.git-credentials|\.pgpass|\.my\.cnf|\.dockercfg|\.htpasswd|\.vault-token|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|ovpn)|credentials|credentials\.json|service-account.*\.json|secrets?\.(?:json|ya?ml|toml|env)|terraform\.tfstate(?:\..*)?|.+\.tfvars)$/u;
const EXAMPLES = /\.(?:example|sample|template|dist|defaults?|schema)(?:\.|$)|^\.env\.d\.ts$/u;
/** Folders below which everything counts, wherever they are. */
export const SECRET_FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
  '.password-store',
  '.docker',
]);

/** Whether a file holds secrets by its name or its folder's; `path` is real. */
export function isSecretFile(path: string): boolean {
  const components = componentsOf(path).map(plainName);
  const name = components.at(-1) ?? '';
  if (components.some((component) => SECRET_FOLDERS.has(component))) return true;
  return NAMES.test(name) && !EXAMPLES.test(name);
}

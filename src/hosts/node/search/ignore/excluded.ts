import { wordsOf } from '../../../../domain/text/words.ts';
import { glob } from '../../../../domain/glob/glob.ts';

/** Left out of every search: repositories' own files, and secrets; not `.env.example`. */
export const EXCLUDED_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', '.jj'];

const EXCLUDED_FILES = wordsOf(`
  .env .env.local .env.*.local .env.{dev,development,test,staging,prod,production} .netrc .pypirc
  id_{rsa,dsa,ecdsa,ed25519} *.{pem,p12,pfx}
`);

const SECRET_NAME = glob(`{${EXCLUDED_FILES.join(',')}}`);

/** True for a file that holds secrets by convention. */
export function isExcludedName(name: string): boolean {
  return SECRET_NAME.matches(name);
}

import { glob } from '../../../../domain/glob/glob.ts';

/**
 * What no search looks into, beside what .gitignore names: repositories' own files, and files that
 * hold secrets by convention. Their examples (`.env.example`) are searched.
 */
export const EXCLUDED_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', '.jj'];

const EXCLUDED_FILES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.*.local',
  '.env.{dev,development,test,staging,prod,production}',
  '.netrc',
  '.pypirc',
  'id_{rsa,dsa,ecdsa,ed25519}',
  '*.{pem,p12,pfx}',
];

const SECRET_NAME = glob(`{${EXCLUDED_FILES.join(',')}}`);

/** Whether a file holds secrets by convention. */
export function isExcludedName(name: string): boolean {
  return SECRET_NAME.matches(name);
}

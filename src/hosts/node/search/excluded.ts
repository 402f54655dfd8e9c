/**
 * What no search looks into, beside what .gitignore names: repositories' own files, and files that
 * hold secrets by convention. Their examples (`.env.example`) are searched.
 */
export const EXCLUDED_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', '.jj'];

export const EXCLUDED_FILES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.*.local',
  '.env.{dev,development,test,staging,prod,production}',
  '.netrc',
  '.pypirc',
  'id_{rsa,dsa,ecdsa,ed25519}',
  '*.{pem,p12,pfx}',
];

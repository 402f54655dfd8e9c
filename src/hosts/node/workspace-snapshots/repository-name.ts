import { plainName } from '../../../core/permissions/plain-name.ts';
import { EXCLUDED_FOLDERS } from '../search/ignore/excluded.ts';

/** True for a repository's own folder or file, in any spelling: in no snapshot, in no restore. */
export function isRepositoryName(name: string): boolean {
  const plain = plainName(name);
  return EXCLUDED_FOLDERS.includes(plain) || /^git~\d+$/u.test(plain);
}

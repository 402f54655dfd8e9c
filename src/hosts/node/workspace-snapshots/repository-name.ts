import { plainName } from '../../../core/permissions/plain-name.ts';
import { EXCLUDED_FOLDERS } from '../search/ignore/excluded.ts';

/**
 * Whether a name is that of a repository's own folder or, in a submodule, file, in any spelling that a file
 * system may take for it. Such a path is in no snapshot, and no restore writes to it.
 */
export function isRepositoryName(name: string): boolean {
  const plain = plainName(name);
  return EXCLUDED_FOLDERS.includes(plain) || /^git~\d+$/u.test(plain);
}

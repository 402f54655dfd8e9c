import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathBelow } from '../../../domain/paths.ts';

/** The git on the PATH, absolute, and not below `not`, the repository itself. */
export async function findGit(
  searchPath: string,
  not: string | undefined,
): Promise<string | undefined> {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const name of names) {
      const real = await realpath(path.join(folder, name)).catch(() => undefined);
      if (real === undefined || (not !== undefined && pathBelow(not, real) !== undefined)) continue;
      const runs = await access(real, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) return path.join(folder, name);
    }
  }
  return undefined;
}

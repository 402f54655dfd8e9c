import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

/** The first ripgrep that may be run: a candidate, else one on the PATH. */
export async function findRipgrep(
  candidates: readonly string[],
  searchPath: string | undefined,
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  // Relative entries of the PATH would mean a program of the workspace.
  const onPath = (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  for (const program of [...candidates, ...onPath.map((folder) => path.join(folder, name))]) {
    const found = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return undefined;
}

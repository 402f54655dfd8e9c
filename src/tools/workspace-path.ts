import { told } from '../domain/text/told.ts';
import { fault } from '../domain/failure.ts';
import { isAbsolutePath, nameOf, normalizePath, pathBelow, resolvePath } from '../domain/paths.ts';

/**
 * The absolute path that a model means: below the first workspace folder, or the one it names
 * first.
 * @throws BelayError `config` when it needs a folder and none is open
 */
export function absolutePath(path: string, roots: readonly string[]): string {
  if (path.includes('\0'))
    throw fault('invalid', told`The path ${JSON.stringify(path)} holds a NUL character.`);
  if (isAbsolutePath(path)) return normalizePath(path);
  const first = firstRoot(roots);
  if (roots.length > 1) {
    const [head = '', ...rest] = path.replace(/^\.\//u, '').split('/');
    const named = roots.find((root) => nameOf(root) === head);
    if (named !== undefined) return resolvePath(named, rest.join('/') || '.');
  }
  return resolvePath(first, path);
}

/** @throws BelayError `config` when no folder is open (E11) */
function firstRoot(roots: readonly string[]): string {
  const [first] = roots;
  if (first === undefined) {
    const message = told`No folder is open, so relative paths mean nothing. Ask the person to open a folder (File: Open Folder), or use an absolute path.`;
    throw fault('config', message);
  }
  return first;
}

/** A path for people and models: relative in the workspace, with its folder's name. */
export function shownPath(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const below = pathBelow(root, path);
    if (below === undefined) continue;
    if (roots.length === 1) return below === '' ? '.' : below;
    const name = nameOf(root);
    if (roots.find((one) => nameOf(one) === name) !== root) return path;
    return below === '' ? name : `${name}/${below}`;
  }
  return path;
}

import { pathBelow, resolvePath } from '../../domain/paths.ts';
import { type LinkParts, resolveLink } from '../file-target.ts';

/** Tells which paths are files of the workspace. Whatever lies elsewhere is not looked at. */
export async function findFiles(
  paths: readonly string[],
  parts: LinkParts,
): Promise<readonly boolean[]> {
  const found: boolean[] = [];
  for (const path of paths) found.push(await isThere(path, parts));
  return found;
}

/** Nothing but paths that lie below a folder of the workspace by their names is looked at: asking a share tells it of this machine. */
async function isThere(path: string, parts: LinkParts): Promise<boolean> {
  const roots = parts.roots();
  if (!roots.some((root) => (pathBelow(root, resolvePath(root, path)) ?? '') !== '')) return false;
  return resolveLink({ path }, parts).then(
    () => true,
    () => false,
  );
}

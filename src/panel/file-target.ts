import type { PathGuard } from '../core/permissions/path-guard.ts';
import { isAbsolutePath, normalizePath, resolvePath } from '../domain/paths.ts';
import type { FileSystem } from '../core/ports/files/file-system.ts';
import { type BelayError, fault } from '../domain/failure.ts';
import { told } from '../domain/text/told.ts';
import type { FileLink } from '../domain/message.ts';

export interface LinkParts {
  /** Folders of the workspace, absolute. */
  readonly roots: () => readonly string[];
  readonly files: Pick<FileSystem, 'stat'>;
  readonly guard: Pick<PathGuard, 'judge'>;
}

/**
 * The file a link of the panel means: absolute, or below one of the workspace's folders. What lies
 * outside of them, also through a symbolic link, is not opened: model output chose the path.
 */
export async function resolveLink(link: FileLink, parts: LinkParts): Promise<string> {
  const roots = parts.roots();
  const meant = isAbsolutePath(link.path)
    ? [normalizePath(link.path)]
    : roots.map((root) => resolvePath(root, link.path));
  for (const file of meant) {
    const { place } = await parts.guard.judge({ path: file, access: 'read' }, roots);
    if (place !== 'inside' && place !== 'config') throw outside(link.path);
    if ((await parts.files.stat(file)) !== undefined) return file;
  }
  if (meant.length === 0) throw outside(link.path);
  const message = told`${link.path} is not there. It may have been moved or deleted.`;
  throw fault('not_found', message);
}

function outside(file: string): BelayError {
  const message = told`${file} is not in a folder of this workspace, so Belay does not open it.`;
  return fault('permission', message);
}

import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import { pathBelow, resolvePath } from '../../domain/paths.ts';
import type { ToolContext, Touch } from '../../core/tool-call/tool-call.ts';
import type { ToolDisk } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

/** A folder or file that a tool looks into. */
export interface SearchPlace {
  /** As it was asked for. */
  readonly path: string;
  readonly real: string;
  readonly shown: string;
}

/** The path that was asked for, or all workspace folders. */
function askedPaths(asked: string | undefined, roots: readonly string[]): readonly string[] {
  return asked === undefined && roots.length > 1 ? roots : [absolutePath(asked ?? '.', roots)];
}

/** The reads of a search, for the path guard. */
export function touchesOf(asked: string | undefined, roots: readonly string[]): readonly Touch[] {
  return askedPaths(asked, roots).map((path) => ({ path, access: 'read' }));
}

/** The places to look into; they are there. With `kind` `folder` a file is refused. */
export async function searchPlaces(
  disk: Pick<ToolDisk, 'files'>,
  asked: string | undefined,
  context: ToolContext,
  kind: 'folder' | 'any',
): Promise<readonly SearchPlace[]> {
  return Promise.all(
    askedPaths(asked, context.roots).map(async (path) => {
      const real = context.judged?.get(path) ?? path;
      const shown = shownPath(path, context.roots);
      const stat = await disk.files.stat(real);
      if (stat === undefined) {
        const message = told`The folder ${shown} does not exist. list_files without a path shows the workspace.`;
        throw fault('not_found', message);
      }
      if (kind === 'folder' && stat.type !== 'directory') {
        throw fault('invalid', told`${shown} is a file, not a folder. Use read_file for files.`);
      }
      return { path, real, shown };
    }),
  );
}

/** A file that was found, by the path that the person knows: not the one behind a link to the place. */
export function foundPath({ path, real }: SearchPlace, file: string): string {
  const below = pathBelow(real, file);
  if (below === undefined || path === real) return file;
  return below === '' ? path : resolvePath(path, below);
}

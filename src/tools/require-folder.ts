import { BelayError } from '../domain/failure.ts';
import type { ToolContext } from '../core/tool-call/tool-call.ts';
import type { ToolParts } from './tool-parts.ts';
import { absolutePath, shownPath } from './workspace-path.ts';

/** The real path of a folder that must be there. */
export async function requireFolder(
  parts: Pick<ToolParts, 'files'>,
  asked: string,
  context: ToolContext,
): Promise<string> {
  const path = absolutePath(asked, context.roots);
  const real = context.judged?.get(path) ?? path;
  const stat = await parts.files.stat(real);
  const shown = shownPath(path, context.roots);
  if (stat === undefined)
    throw new BelayError({
      code: 'not_found',
      message: `The folder ${shown} does not exist. list_files shows what there is.`,
    });
  if (stat.type !== 'directory')
    throw new BelayError({ code: 'invalid', message: `${shown} is a file, not a folder.` });
  return real;
}

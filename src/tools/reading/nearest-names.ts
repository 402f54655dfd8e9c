import { isLike } from '../../domain/text/like-names.ts';
import { nameOf, parentOf, resolvePath } from '../../domain/paths.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { ToolDisk } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

/** Names suggested in place of one that is not there. */
const MOST_NAMES = 3;

/** Names that a model may have meant: like ones in the same folder, the same elsewhere. */
export async function nearestNames(
  disk: Pick<ToolDisk, 'files' | 'search' | 'ignored'>,
  path: string,
  { roots, signal }: Pick<ToolContext, 'roots' | 'signal'>,
): Promise<readonly string[]> {
  const name = nameOf(path);
  const folder = parentOf(path);
  const entries = await disk.files.list(folder).catch(() => []);
  const beside: string[] = [];
  for (const entry of entries) {
    if (!isLike(name, entry.name)) continue;
    const there = resolvePath(folder, entry.name);
    if ((await disk.ignored.ruleFor(there)) === undefined) beside.push(there);
  }
  const elsewhere: string[] = [];
  for (const root of beside.length === 0 ? roots : []) {
    const request = { root, pattern: name.replaceAll(/[*?[\]{}]/gu, ' '), limit: 20 };
    const { paths } = await disk.search.files(request, signal).catch(() => ({ paths: [] }));
    elsewhere.push(...paths.filter((found) => isLike(name, nameOf(found))));
  }
  return [...beside, ...elsewhere].slice(0, MOST_NAMES).map((found) => shownPath(found, roots));
}

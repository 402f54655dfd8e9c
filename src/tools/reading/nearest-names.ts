import { nameOf, parentOf, resolvePath } from '../../domain/paths.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { ToolDisk } from '../tool-parts.ts';
import { shownPath } from '../workspace-path.ts';

/** Names suggested in place of one that is not there. */
const MOST_NAMES = 3;
/** Letters that may be wrong in a name. */
const MOST_WRONG = 2;

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

function isLike(asked: string, name: string): boolean {
  const [left, right] = [asked.toLowerCase(), name.toLowerCase()];
  if (left === right) return true;
  const stem = left.replace(/\.[^.]*$/u, '');
  if (stem.length > 2 && right.startsWith(stem)) return true;
  return left.length > 3 && distance(left, right) <= MOST_WRONG;
}

/** Letters to add, drop or change (Levenshtein); more than a few are not counted to the end. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MOST_WRONG) return Infinity;
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

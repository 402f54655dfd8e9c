import type { LeftOut } from '../../core/ports/files/left-out.ts';
import { shownPath } from '../workspace-path.ts';

/** A line about what a search did not look into; empty when there is nothing to say. */
export function leftOutNote(leftOut: LeftOut | undefined, roots: readonly string[]): string {
  if (leftOut === undefined) return '';
  const { tooLarge, binary, unreadable, folders, ignored, ignoredFolders } = leftOut;
  const { examples, complete } = leftOut;
  const kinds = [
    counted(tooLarge, 'file', 'larger than 20 MB'),
    counted(binary, 'binary file', ''),
    counted(unreadable, 'file', 'that cannot be read'),
    counted(folders, 'folder', 'that cannot be listed (no permission, or too deep)'),
    counted(ignored, 'ignored file', ''),
    counted(ignoredFolders, 'ignored folder', ''),
  ].filter((kind) => kind !== '');
  const shown = examples.map((file) => {
    const path = shownPath(file, roots);
    return path.length > LONGEST ? `…${path.slice(-LONGEST)}` : path;
  });
  const names = shown.length === 0 ? '' : `, for example ${shown.join(', ')}`;
  const advice = ignored + ignoredFolders === 0 ? '' : '; to search what is ignored, name its path';
  const said = kinds.length === 0 ? '' : `\n[not searched: ${kinds.join(', ')}${names}${advice}]`;
  return complete
    ? said
    : `${said}\n[there may be more: the files were not all looked at for this note]`;
}

/** Characters of a path that are shown. */
const LONGEST = 200;

function counted(count: number, what: string, which: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'} ${which}`.trim();
}

import type { HunkLine } from './patch.ts';

/**
 * Takes the last lines of a hunk away that were written without even a blank: they stand between it
 * and what follows. One that would be its only context stays: without it nobody knew the place.
 * @param written the lines of the patch up to the end of the hunk
 */
export function dropEmptyEnd(lines: HunkLine[], written: readonly string[]): void {
  for (let at = written.length - 1; written[at] === ''; at -= 1) {
    const isContext = lines.some(({ mark }, index) => mark !== '+' && index < lines.length - 1);
    if (!isContext && lines.length > 1) return;
    lines.pop();
  }
}

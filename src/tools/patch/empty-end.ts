import type { HunkLine } from './patch.ts';

/**
 * Removes a hunk's empty last lines, which only part it from what follows; never its only context.
 * @param written the lines of the patch up to the end of the hunk
 */
export function dropEmptyEnd(lines: HunkLine[], written: readonly string[]): void {
  for (let at = written.length - 1; written[at] === ''; at -= 1) {
    const isContext = lines.some(({ mark }, index) => mark !== '+' && index < lines.length - 1);
    if (!isContext && lines.length > 1) return;
    lines.pop();
  }
}

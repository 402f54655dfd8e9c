import type { HunkLine } from './patch.ts';

/** Removes a hunk's last lines that are empty in the patch (`written`); not its only context. */
export function dropEmptyEnd(lines: HunkLine[], written: readonly string[]): void {
  for (let at = written.length - 1; written[at] === ''; at -= 1) {
    const isContext = lines.some(({ mark }, index) => mark !== '+' && index < lines.length - 1);
    if (!isContext && lines.length > 1) return;
    lines.pop();
  }
}

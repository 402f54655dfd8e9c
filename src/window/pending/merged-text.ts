import { mergeLines } from '../../core/merge/merge-lines.ts';

/**
 * Merges two sides that changed a text in the same moment, LF only. Where both changed the same lines, both are kept,
 * what was typed first: nothing of either is lost, and the person sees it in the editor.
 */
export function mergedText(base: string, typed: string, other: string): string {
  const regions = mergeLines(base.split('\n'), typed.split('\n'), other.split('\n'));
  return regions
    .flatMap(({ kind, ours, theirs }) => {
      if (kind === 'theirs') return theirs;
      return kind === 'conflict' ? [...ours, ...theirs] : ours;
    })
    .join('\n');
}

import * as l10n from '@vscode/l10n';
import { plural } from '../text/language.ts';

/** The outcome of a decision, such as "6 changes undone, 1 left because you edited it." */
export function decidedText(
  decision: 'keep' | 'undo',
  { done, left }: { readonly done: number; readonly left: number },
): string {
  const what =
    decision === 'keep'
      ? plural(done, '{0} change kept', '{0} changes kept')
      : plural(done, '{0} change undone', '{0} changes undone');
  if (left === 0) return `${what}.`;
  const others = plural(left, '{0} left because you edited it', '{0} left because you edited them');
  return `${what}, ${others}.`;
}

/** Reasons in `takenBackText`; the others are counted. */
const MAX_REASONS = 3;

/**
 * The outcome of taking a decision back.
 * @param reasons a sentence for each file in which that failed
 */
export function takenBackText(done: number, reasons: readonly string[]): string {
  const more = reasons.length - MAX_REASONS;
  return [
    ...(done === 0 && reasons.length > 0
      ? []
      : [plural(done, 'Taken back in {0} file.', 'Taken back in {0} files.')]),
    ...reasons.slice(0, MAX_REASONS),
    ...(more > 0 ? [l10n.t('And {0} more.', more)] : []),
  ].join(' ');
}

/** The button that takes a decision back. */
export function takeBackWord(decision: 'keep' | 'undo'): string {
  return decision === 'keep' ? l10n.t('Make Pending Again') : l10n.t('Redo');
}

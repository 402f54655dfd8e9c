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

/** The button that takes a decision back. */
export function takeBackWord(decision: 'keep' | 'undo'): string {
  return decision === 'keep' ? l10n.t('Make Pending Again') : l10n.t('Redo');
}

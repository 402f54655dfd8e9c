import { plural } from '../../domain/text/language.ts';

/** The number on the view's icon, of one kind, as in the status bar: answers that wait, else changes to review; 0: no badge. */
export function badgeOf(
  waiting: number,
  changes: number,
): { readonly value: number; readonly tooltip: string } {
  const lines = [
    ...(waiting > 0 ? [plural(waiting, '{0} thing waits for you', '{0} things wait for you')] : []),
    ...(changes > 0 ? [plural(changes, '{0} change to review', '{0} changes to review')] : []),
  ];
  return { value: waiting > 0 ? waiting : changes, tooltip: lines.join('\n') };
}

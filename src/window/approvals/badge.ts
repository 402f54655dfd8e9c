/** The number on the view's icon, of one kind, as in the status bar: answers that wait, else changes to review; 0: no badge. */
export function badgeOf(
  waiting: number,
  changes: number,
): { readonly value: number; readonly tooltip: string } {
  const lines = [
    ...(waiting > 0
      ? [waiting === 1 ? '1 thing waits for you' : `${waiting} things wait for you`]
      : []),
    ...(changes > 0 ? [`${changes} ${changes === 1 ? 'change' : 'changes'} to review`] : []),
  ];
  return { value: waiting > 0 ? waiting : changes, tooltip: lines.join('\n') };
}

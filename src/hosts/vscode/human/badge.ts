/** The number on the view's icon: what waits for an answer and what waits to be reviewed; 0: no badge. */
export function badgeOf(
  waiting: number,
  files: number,
): { readonly value: number; readonly tooltip: string } {
  const lines = [
    ...(waiting > 0
      ? [waiting === 1 ? '1 thing waits for you' : `${waiting} things wait for you`]
      : []),
    ...(files > 0 ? [`${files} ${files === 1 ? 'file' : 'files'} with changes to review`] : []),
  ];
  return { value: waiting + files, tooltip: lines.join('\n') };
}

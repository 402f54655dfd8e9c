/**
 * Runs jobs `width` at a time, begun in this order: the longest first, so that none of them is left alone at the end.
 */
export async function sideBySide(
  jobs: readonly (() => Promise<void>)[],
  width: number,
): Promise<void> {
  const queue = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/**
 * Runs jobs `width` at a time, begun in this order: the longest first, so that none of them is left alone at the end.
 * None is begun after `isOver`.
 */
export async function sideBySide(
  jobs: readonly (() => Promise<void>)[],
  width: number,
  isOver: () => boolean = () => false,
): Promise<void> {
  const queue = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined && !isOver(); job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: width }, lane));
}

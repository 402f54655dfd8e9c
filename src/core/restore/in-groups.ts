/**
 * Files that are looked at together: one by one they would be waited for, all at once they would fill the memory. What a
 * thread answers about them comes in one step of the event loop: 100 kept it for four times as long.
 */
const GROUP = 20;

/** Finds something out about each, in their order. */
export async function inGroups<One, Found>(
  all: readonly One[],
  look: (one: One) => Promise<Found>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < all.length; from += GROUP)
    found.push(...(await Promise.all(all.slice(from, from + GROUP).map(look))));
  return found;
}

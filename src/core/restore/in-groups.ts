/** Files that are looked at together: one by one they would be waited for, all at once they would fill the memory. */
const GROUP = 100;

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

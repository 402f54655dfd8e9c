/** The index of the first item of which it is true; it must be true of all that follow, too. */
export function firstWhere<T>(items: readonly T[], is: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

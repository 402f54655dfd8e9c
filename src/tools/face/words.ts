/** "1 file", "3 files", "100+ files". */
export function counted(count: number, one: string, more = ''): string {
  const many = one.endsWith('ch') ? `${one}es` : `${one}s`;
  return `${count.toLocaleString('en')}${more} ${count === 1 && more === '' ? one : many}`;
}

/** The same; empty for none. */
export const countedIfAny = (count: number | undefined, one: string): string =>
  count === undefined || count === 0 ? '' : counted(count, one);

/** "100+ files" where there are more. */
export const atLeast = (count: number, one: string, isAll: boolean): string =>
  counted(count, one, isAll ? '' : '+');

/** Facts of a note, without the empty ones. */
export const joined = (...facts: readonly string[]): string =>
  facts.filter((fact) => fact !== '').join(', ');

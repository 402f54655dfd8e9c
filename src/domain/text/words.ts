/** The words of a text: how long tables of names are written. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** The same as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text));
}

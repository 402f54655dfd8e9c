/** The words of a search, in small letters. */
export const searchWords = (query: string): readonly string[] =>
  query.toLowerCase().split(/\s+/u).filter(Boolean);

/** True where all words are in one of these texts or another; without words always. */
export function hits(words: readonly string[], ...texts: readonly (string | null)[]): boolean {
  if (words.length === 0) return true;
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}

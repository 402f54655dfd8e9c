/** The pattern for what a person looks for: the words as they are, any blank for a blank. */
export function findPattern(query: string, matchCase: boolean): RegExp {
  const source = query
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`)
    .replaceAll(/\s+/gu, String.raw`\s+`);
  return new RegExp(source === '' ? '(?!)' : source, matchCase ? 'gu' : 'giu');
}

/** How often a pattern occurs. */
export function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

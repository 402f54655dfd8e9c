/** Tokens of a value by the rule of thumb: 4 characters of its JSON each, 1 at least. */
export function tokensOf(value: unknown): number {
  const length = typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;
  return Math.max(1, Math.ceil(length / 4));
}

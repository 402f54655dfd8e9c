import { applyLineChanges, lineChanges } from '../../merge/line-changes.ts';

/** The lines of both; what both put there is there once. */
export function unionLines(first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.length === 0) return second;
  const kept = lineChanges(first, second).map(({ from, to, lines }) => ({
    from,
    to,
    lines: [...first.slice(from, to), ...lines],
  }));
  return applyLineChanges(first, kept);
}

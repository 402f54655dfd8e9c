/** Letters that may be wrong in a name. */
const MAX_WRONG_LETTERS = 2;

/** True when a name is nearly the one that was asked for: a beginning of it, or with up to two wrong letters. */
export function isLike(asked: string, name: string): boolean {
  const [left, right] = [asked.toLowerCase(), name.toLowerCase()];
  if (left === right) return true;
  const stem = left.replace(/\.[^.]*$/u, '');
  if (stem.length > 2 && right.startsWith(stem)) return true;
  return left.length > 3 && distance(left, right) <= MAX_WRONG_LETTERS;
}

/** Letters to add, drop or change (Levenshtein); more than a few are not counted to the end. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MAX_WRONG_LETTERS) return Infinity;
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

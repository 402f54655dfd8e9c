import { type LineChange, applyLineChanges, lineChanges } from './line-changes.ts';

/** A piece of a merge; the pieces' `base`, `ours` and `theirs`, joined, are the three texts. */
export interface MergeRegion {
  /** `both`: the two sides made the same of it. */
  readonly kind: 'same' | 'ours' | 'theirs' | 'both' | 'conflict';
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Merges by lines what two sides made of `base`. Neighbouring changes go together; changes to the
 * same lines conflict, and so does an insertion beside lines that the other side changed: its order
 * is a guess.
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly MergeRegion[] {
  const left = lineChanges(base, ours);
  const right = lineChanges(base, theirs);
  const regions: MergeRegion[] = [];
  let at = 0;
  for (const group of groupsOf(left, right)) {
    if (at < group.from) regions.push(untouched(base.slice(at, group.from)));
    regions.push(regionOf(base, group));
    at = group.to;
  }
  if (at < base.length) regions.push(untouched(base.slice(at)));
  return regions;
}

/** Changes of both sides that cannot be told apart. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly left: readonly LineChange[];
  readonly right: readonly LineChange[];
}

function groupsOf(left: readonly LineChange[], right: readonly LineChange[]): readonly Group[] {
  const groups: Group[] = [];
  let [inLeft, inRight] = [0, 0];
  while (inLeft < left.length || inRight < right.length) {
    const [startLeft, startRight] = [inLeft, inRight];
    if ((left[inLeft]?.from ?? Infinity) <= (right[inRight]?.from ?? Infinity)) inLeft += 1;
    else inRight += 1;
    for (;;) {
      const lastLeft = inLeft > startLeft ? left[inLeft - 1] : undefined;
      const lastRight = inRight > startRight ? right[inRight - 1] : undefined;
      if (clash(left[inLeft], lastRight)) inLeft += 1;
      else if (clash(right[inRight], lastLeft)) inRight += 1;
      else break;
    }
    const [ofLeft, ofRight] = [left.slice(startLeft, inLeft), right.slice(startRight, inRight)];
    groups.push({ ...spanOf(ofLeft, ofRight), left: ofLeft, right: ofRight });
  }
  return groups;
}

/** From the first line of the changes of both sides, each in order, to the last. */
function spanOf(
  left: readonly LineChange[],
  right: readonly LineChange[],
): { readonly from: number; readonly to: number } {
  const [first = right[0], last = right.at(-1)] = [left[0], left.at(-1)];
  return {
    from: Math.min(first?.from ?? 0, right[0]?.from ?? Infinity),
    to: Math.max(last?.to ?? 0, right.at(-1)?.to ?? 0),
  };
}

/** They change the same lines, or one inserts at the border of what the other changes. */
function clash(a: LineChange | undefined, b: LineChange | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const inserts = a.from === a.to || b.from === b.to;
  return inserts ? a.from <= b.to && b.from <= a.to : a.from < b.to && b.from < a.to;
}

function regionOf(whole: readonly string[], { from, to, left, right }: Group): MergeRegion {
  const base = whole.slice(from, to);
  const ours = changed(base, left, from);
  const theirs = changed(base, right, from);
  return { kind: kindOf(base, ours, theirs), base, ours, theirs };
}

function kindOf(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergeRegion['kind'] {
  if (equal(ours, theirs)) return 'both';
  if (equal(base, theirs)) return 'ours';
  return equal(base, ours) ? 'theirs' : 'conflict';
}

function changed(
  base: readonly string[],
  changes: readonly LineChange[],
  offset: number,
): readonly string[] {
  const moved = changes.map(({ from, to, lines }) => ({
    from: from - offset,
    to: to - offset,
    lines,
  }));
  return applyLineChanges(base, moved);
}

function untouched(lines: readonly string[]): MergeRegion {
  return { kind: 'same', base: lines, ours: lines, theirs: lines };
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

import { diffArrays } from 'diff';
import { type Steps, byTurns, inOneGo } from '../../domain/lifetime/steps.ts';

/** Lines `from` to `to` (0-based, `to` not included) of a text became `lines`. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Changed lines between pieces still compared by line; the time is quadratic in them. */
const MOST_EDITS = 300;
/** Lines times edits of one such comparison, which is one step: 10 ms, measured with lines that repeat. */
const MOST_WORK = 1_500_000;
/** Lines looked at for each line of both texts, 2 to 10 usually; the rest counts as replaced. */
const MOST_LOOKS = 40;
/** Lines that are looked at in one step: 2 to 5 ms. */
const STEP = 10_000;

/** The lines of a text, each with its end; joined they are the text. The last one may have no end. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    lines.push(text.slice(from, end + 1));
    from = end + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/**
 * The changes that turn `base` into `other`: in order, none touching the next, the same for the
 * same texts. Lines with words that occur once in both are matched first, as a person would.
 */
export function lineChanges(
  base: readonly string[],
  other: readonly string[],
): readonly LineChange[] {
  return made.get(other)?.get(base) ?? kept(base, other, inOneGo(comparingLines(base, other)));
}

/** Computes the same in turns with others; `lineChanges` of the same lists answers at once. */
export async function lineChangesByTurns(
  base: readonly string[],
  other: readonly string[],
): Promise<readonly LineChange[]> {
  return (
    made.get(other)?.get(base) ?? kept(base, other, await byTurns(comparingLines(base, other)))
  );
}

/** Lines of both texts from which on they are compared by turns, and the outcome is kept as long as they are. */
export const LARGE = 2000;

/** By the other text, by the base. */
const made = new WeakMap<readonly string[], WeakMap<readonly string[], readonly LineChange[]>>();

function kept(
  base: readonly string[],
  other: readonly string[],
  changes: readonly LineChange[],
): readonly LineChange[] {
  if (base.length + other.length < LARGE) return changes;
  const known = made.get(other) ?? new WeakMap<readonly string[], readonly LineChange[]>();
  made.set(other, known.set(base, changes));
  return changes;
}

/** Joins changes with the fewest lines between until there are at most so many; in lines of `other`. */
export function atMost(
  changes: readonly LineChange[],
  other: readonly string[],
  most: number,
): readonly LineChange[] {
  if (changes.length <= most) return changes;
  const gaps = changes.slice(1).map(({ from }, index) => from - (changes[index]?.to ?? 0));
  const widest = gaps.map((gap, index) => ({ gap, index })).toSorted((a, b) => b.gap - a.gap);
  const apart = new Set(widest.slice(0, most - 1).map(({ index }) => index));
  const joinedUp: LineChange[] = [];
  let [first, offset, begin] = [changes[0]?.from ?? 0, 0, changes[0]?.from ?? 0];
  for (const [index, { from, to, lines }] of changes.entries()) {
    const end = from + offset + lines.length;
    offset += lines.length - (to - from);
    const next = changes[index + 1];
    if (next !== undefined && !apart.has(index)) continue;
    joinedUp.push({ from: first, to, lines: other.slice(begin, end) });
    first = next?.from ?? 0;
    begin = first + offset;
  }
  return joinedUp;
}

function* comparingLines(
  base: readonly string[],
  other: readonly string[],
): Steps<readonly LineChange[]> {
  const changes: LineChange[] = [];
  let left = MOST_LOOKS * (base.length + other.length);
  /** Pieces that are to be compared; the first in the texts is the last here. */
  const open: Pair<Span>[] = [
    [
      { base, from: 0, to: base.length },
      { base: other, from: 0, to: other.length },
    ],
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [a, b] = yield* withoutSameEnds(next);
    if (a.from === a.to && b.from === b.to) continue;
    left -= a.to - a.from + b.to - b.from;
    const isPlain = a.from === a.to || b.from === b.to || left < 0;
    const between = isPlain
      ? undefined
      : ((yield* betweenAnchors(a, b, isTelling)) ?? (yield* betweenAnchors(a, b, () => true)));
    if (between !== undefined) for (const pair of between.toReversed()) open.push(pair);
    else if (isPlain || !comparedByLine(a, b, changes))
      changes.push({ from: a.from, to: a.to, lines: b.base.slice(b.from, b.to) });
  }
  return joined(changes);
}

/** The lines of `base` after changes that were made for it. */
export function applyLineChanges(
  base: readonly string[],
  changes: readonly LineChange[],
): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const { from, to, lines } of changes) {
    append(result, base, at, from);
    append(result, lines, 0, lines.length);
    at = to;
  }
  append(result, base, at, base.length);
  return result;
}

function append(result: string[], lines: readonly string[], from: number, to: number): void {
  for (let at = from; at < to; at += 1) result.push(lines[at] ?? '');
}

/** A part of a text. */
interface Span {
  readonly base: readonly string[];
  readonly from: number;
  readonly to: number;
}

type Pair<T> = readonly [inA: T, inB: T];

/** Two pieces without the lines that are the same at the start and at the end. */
function* withoutSameEnds([left, right]: Pair<Span>): Steps<Pair<Span>> {
  const a = { ...left };
  const b = { ...right };
  while (a.from < a.to && b.from < b.to && a.base[a.from] === b.base[b.from]) {
    a.from += 1;
    b.from += 1;
    if (a.from % STEP === 0) yield;
  }
  while (a.from < a.to && b.from < b.to && a.base[a.to - 1] === b.base[b.to - 1]) {
    a.to -= 1;
    b.to -= 1;
    if (a.to % STEP === 0) yield;
  }
  return [a, b];
}

/** A line with words: blank lines and brackets are the same everywhere. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** `false`: they differ too much. */
function comparedByLine(a: Span, b: Span, changes: LineChange[]): boolean {
  const lines = a.to - a.from + b.to - b.from;
  const parts = diffArrays(a.base.slice(a.from, a.to), b.base.slice(b.from, b.to), {
    maxEditLength: Math.min(MOST_EDITS, Math.floor(MOST_WORK / lines)),
  });
  if (parts === undefined) return false;
  let at = a.from;
  for (const { added, removed, value, count } of parts) {
    if (added) changes.push({ from: at, to: at, lines: value });
    else if (removed) changes.push({ from: at, to: at + count, lines: [] });
    if (!added) at += count;
  }
  return true;
}

/** The pieces between lines that occur once in each and in the same order. `undefined`: there are none. */
function* betweenAnchors(
  a: Span,
  b: Span,
  counts: (line: string) => boolean,
): Steps<readonly Pair<Span>[] | undefined> {
  const anchors = longestRising(yield* commonUnique(a, b, counts));
  yield;
  if (anchors.length === 0) return undefined;
  let [left, right] = [a.from, b.from];
  return [...anchors, [a.to, b.to] as const].map(([inA, inB]) => {
    const piece = [
      { ...a, from: left, to: inA },
      { ...b, from: right, to: inB },
    ] as const;
    [left, right] = [inA + 1, inB + 1];
    return piece;
  });
}

function* commonUnique(
  a: Span,
  b: Span,
  counts: (line: string) => boolean,
): Steps<readonly Pair<number>[]> {
  const inB = yield* uniqueLines(b);
  const inA = yield* uniqueLines(a);
  const pairs: Pair<number>[] = [];
  let looked = 0;
  for (const [line, at] of inA) {
    looked += 1;
    if (looked % STEP === 0) yield;
    const other = inB.get(line);
    if (at === -1 || other === undefined || other === -1 || !counts(line)) continue;
    pairs.push([at, other]);
  }
  return pairs;
}

/** The place of each line; -1: in several places. */
function* uniqueLines({ base, from, to }: Span): Steps<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const line = base[at] ?? '';
    places.set(line, places.has(line) ? -1 : at);
    if (at % STEP === 0) yield;
  }
  return places;
}

/** The longest subsequence that rises in the second number, too. */
function longestRising(pairs: readonly Pair<number>[]): readonly Pair<number>[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (tails[low - 1] ?? -1));
    tails[low] = index;
  }
  const found: Pair<number>[] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) found.push(pair);
  }
  return found.toReversed();
}

/** Changes that touch are one. */
function joined(changes: readonly LineChange[]): readonly LineChange[] {
  const result: LineChange[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    if (last === undefined || last.to < change.from) result.push(change);
    else
      result[result.length - 1] = {
        from: last.from,
        to: change.to,
        lines: [...last.lines, ...change.lines],
      };
  }
  return result;
}

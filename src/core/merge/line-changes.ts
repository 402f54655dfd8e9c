import { diffArrays } from 'diff';

/** Lines `from` to `to` (0-based, `to` not included) of a text became `lines`. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * Added and removed lines between two pieces that are still compared line by line: beyond it the
 * time grows with the square, and one counts as replaced by the other.
 */
const MOST_EDITS = 300;

/** The lines of a text, each with its end; joined they are the text. The last one may have no end. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/**
 * What turns `base` into `other`: in order, none touching the next, each changing something. The same
 * texts give the same changes always. Lines with words that occur once in both are matched first, as
 * a person would, and only then the ones between them.
 */
export function lineChanges(
  base: readonly string[],
  other: readonly string[],
): readonly LineChange[] {
  const changes: LineChange[] = [];
  compare({ base, from: 0, to: base.length }, { base: other, from: 0, to: other.length }, changes);
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

function compare(left: Span, right: Span, changes: LineChange[]): void {
  const a = { ...left };
  const b = { ...right };
  while (a.from < a.to && b.from < b.to && a.base[a.from] === b.base[b.from]) {
    a.from += 1;
    b.from += 1;
  }
  while (a.from < a.to && b.from < b.to && a.base[a.to - 1] === b.base[b.to - 1]) {
    a.to -= 1;
    b.to -= 1;
  }
  if (a.from === a.to && b.from === b.to) return;
  const isPlain = a.from === a.to || b.from === b.to;
  if (!isPlain) {
    if (compareByAnchors(a, b, changes, isTelling)) return;
    if (compareByAnchors(a, b, changes, () => true)) return;
    if (compareByLine(a, b, changes)) return;
  }
  changes.push({ from: a.from, to: a.to, lines: b.base.slice(b.from, b.to) });
}

/** A line with words: blank lines and brackets are the same everywhere. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** `false`: they differ too much. */
function compareByLine(a: Span, b: Span, changes: LineChange[]): boolean {
  const parts = diffArrays(a.base.slice(a.from, a.to), b.base.slice(b.from, b.to), {
    maxEditLength: MOST_EDITS,
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

/** Cuts both at lines that occur once in each and in the same order. `false`: there are none. */
function compareByAnchors(
  a: Span,
  b: Span,
  changes: LineChange[],
  counts: (line: string) => boolean,
): boolean {
  const anchors = longestRising(commonUnique(a, b, counts));
  if (anchors.length === 0) return false;
  let [left, right] = [a.from, b.from];
  for (const [inA, inB] of [...anchors, [a.to, b.to] as const]) {
    compare({ ...a, from: left, to: inA }, { ...b, from: right, to: inB }, changes);
    [left, right] = [inA + 1, inB + 1];
  }
  return true;
}

type Pair = readonly [inA: number, inB: number];

/** Lines that occur once in each, in the order of the first. */
function commonUnique(a: Span, b: Span, counts: (line: string) => boolean): readonly Pair[] {
  const inB = uniqueLines(b);
  const pairs: Pair[] = [];
  for (const [line, at] of uniqueLines(a)) {
    const other = inB.get(line);
    if (at === -1 || other === undefined || other === -1 || !counts(line)) continue;
    pairs.push([at, other]);
  }
  return pairs;
}

/** Where each line is; -1: in several places. */
function uniqueLines({ base, from, to }: Span): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const line = base[at] ?? '';
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** The longest subsequence that rises in the second number, too. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
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
  const found: Pair[] = [];
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

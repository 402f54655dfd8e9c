import { diffArrays } from 'diff';
import type { LineChange } from '../../core/merge/line-changes.ts';
import type { Replacement } from '../../core/merge/replacement.ts';
import { similarity, toPieces } from './line-forms.ts';

/** Characters of two texts, and of pairs of their lines, up to which they are compared. */
const MAX_COMPARED_CHARS = 100_000;
const MAX_PAIRED_CHARS = 4_000_000;
/** Pieces times edits of one comparison: about 10 ms. */
const MAX_WORK = 1_500_000;
/** Likeness from which on a line is another version of the other one. */
const LINE_ALIKE = 0.5;

/**
 * Splits a change into lines that became others like them, and the lines between those. Of changes
 * that are too large, each line is one that became the next, or the change stays whole.
 */
export function pairLines(old: readonly string[], made: readonly string[]): readonly LineChange[] {
  const isLarge = old.join('\n').length * made.length > MAX_PAIRED_CHARS;
  if (isLarge && old.length === made.length)
    return made.map((line, from) => ({ from, to: from + 1, lines: [line] }));
  const pairs: LineChange[] = [];
  let [from, start] = [0, 0];
  const add = (to: number, end: number): void => {
    if (from < to || start < end) pairs.push({ from, to, lines: made.slice(start, end) });
    [from, start] = [to, end];
  };
  for (const [index, line] of isLarge ? [] : old.entries()) {
    let best = { at: -1, alike: LINE_ALIKE };
    for (const [at, other] of made.entries()) {
      const alike = at < start ? 0 : similarity(line.trim(), other.trim());
      if (line.trim() !== '' && alike > best.alike) best = { at, alike };
    }
    if (best.at === -1) continue;
    add(index, best.at);
    add(index + 1, best.at + 1);
  }
  add(old.length, made.length);
  return pairs;
}

/** A part that differs, and what both texts have after it. */
interface Gap {
  removed: string;
  added: string;
  /** At most one piece became one other. */
  isSmall: boolean;
  run: string;
}

/**
 * Finds what has to be replaced in `before` to make it `after`, in order and not overlapping. Texts
 * that are too large or too different keep only what is the same at their start and end.
 * @param from position of `before` in the text that the replacements are for
 */
export function findDifferences(before: string, after: string, from = 0): readonly Replacement[] {
  if (before === after) return [];
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const made = after.slice(start, after.length - end);
  let at = from + start;
  const gaps = compare(old, made);
  if (gaps.length <= 1) return [{ from: at, to: at + old.length, text: made }];
  return gaps.flatMap(({ removed, added, run }) => {
    const found = findDifferences(removed, added, at);
    at += removed.length + run.length;
    return found;
  });
}

/** Words, signs between blanks, and other characters. */
const WORDS = /[\p{L}\p{M}\p{N}_]+|\s[^\p{L}\p{M}\p{N}_\s]\s|./gsu;
/** Pieces that texts do not share by chance: a word, a line end, two signs, or one between blanks. */
const TELLING = /[\p{L}\p{N}\n]|\S\s*\S|\s\S\s/u;

/** Compares words and single signs; at most one part: too large or too different. */
function compare(old: string, made: string): readonly Gap[] {
  if (old.length + made.length > MAX_COMPARED_CHARS) return [];
  const [left = [], right = []] = [old, made].map((text) => text.match(WORDS) ?? []);
  const maxEditLength = Math.floor(MAX_WORK / (left.length + right.length + 1));
  const gaps: Gap[] = [{ removed: '', added: '', isSmall: true, run: '' }];
  for (const part of diffArrays(left, right, { maxEditLength }) ?? []) {
    const side = part.added ? 'added' : part.removed ? 'removed' : 'run';
    let gap = gaps.at(-1);
    if (gap === undefined || (gap.run !== '' && side !== 'run'))
      gaps.push((gap = { removed: '', added: '', isSmall: true, run: '' }));
    gap[side] = part.value.join('');
    if (side !== 'run') gap.isSmall &&= part.count === 1;
  }
  const result: Gap[] = [];
  for (const gap of gaps) {
    const last = result.at(-1);
    if (last === undefined || TELLING.test(last.run) || (last.isSmall && gap.isSmall))
      result.push(gap);
    else {
      last.removed += last.run + gap.removed;
      last.added += last.run + gap.added;
      [last.isSmall, last.run] = [false, gap.run];
    }
  }
  return result;
}

/**
 * Turns replacements for `given` into replacements for `present`, which is the same text except for
 * typography and blanks. What is not replaced keeps the characters of `present`; a character of
 * `present` that stands for several of `given` is replaced when one of them is.
 * `undefined`: the texts differ in something else.
 */
export function toPresent(
  replacements: readonly Replacement[],
  given: string,
  present: string,
): readonly Replacement[] | undefined {
  if (given === present) return replacements;
  const [ours, theirs] = [toPieces(given), toPieces(present)];
  if (ours.plain !== theirs.plain) return undefined;
  /** The first and the last position in `present`: it may have blanks that `given` has not. */
  const places = new Map<number, readonly [first: number, last: number]>();
  for (const [at, [begin, end]] of ours.bounds) {
    const there = theirs.bounds.get(at);
    if (there === undefined) continue;
    if (begin < end) places.set(begin, [there[0], there[0]]).set(end, [there[1], there[1]]);
    else places.set(begin, there);
  }
  const nearest = (at: number, step: 1 | -1): number => {
    let there = at;
    while (!places.has(there)) there += step;
    return there;
  };
  const result: Replacement[] = [];
  const queue = replacements.toReversed();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [from, to] = [nearest(next.from, -1), nearest(next.to, 1)];
    const other = queue.at(-1);
    if (other !== undefined && other.from < to) {
      // Both change parts of one character of `present`.
      const text = next.text + given.slice(next.to, other.from) + other.text;
      queue[queue.length - 1] = { from: next.from, to: other.to, text };
      continue;
    }
    const text = given.slice(from, next.from) + next.text + given.slice(next.to, to);
    const [first = 0, last = 0] = places.get(from) ?? [];
    const [end = 0] = places.get(to) ?? [];
    // Where only `present` has blanks, text is inserted before those at the end of a line and after
    // those at its start; blanks replace them.
    const at = /^\n?$/u.test(given.charAt(from - 1)) ? last : first;
    if (from < to) result.push({ from: last, to: end, text });
    else if (text.trim() === '') result.push({ from: first, to: last, text });
    else result.push({ from: at, to: at, text });
  }
  return result;
}

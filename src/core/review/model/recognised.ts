import { firstWhere } from '../../merge/first-where.ts';
import { type LineChange, lineChanges } from '../../merge/line-changes.ts';
import { type FileReview, linesOf } from './file-review.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/** Lines that something else put where others were, and whether they are those, changed. */
export interface Replaced extends LineChange {
  readonly isSame: boolean;
}

/** Characters by which lines are recognised: their start tells enough, and this takes 20 ms. */
const MOST_COMPARED = 100_000;

const WORDS = /[\p{L}\p{N}_]+/gu;

/** True when lines tell whose they are: a bracket or an empty line is in every file. */
export function isTelling(lines: readonly string[]): boolean {
  return lines.some((line) => line.search(WORDS) !== -1);
}

/**
 * True when lines are others in another form, as a formatter or a small correction leaves them: they share more than
 * half of their words, or something was only put in or taken out at one place.
 */
export function isAlike(
  lines: readonly string[],
  others: readonly string[],
  most = MOST_COMPARED,
): boolean {
  const [some, someOthers] = [lines.join('\n').slice(0, most), others.join('\n').slice(0, most)];
  const [words, more] = [some.match(WORDS) ?? [], someOthers.match(WORDS) ?? []];
  if (shared(words, more) * 2 > (words.length + more.length) / 2) return true;
  const [text, other] = [some.replaceAll(/\s+/gu, ''), someOthers.replaceAll(/\s+/gu, '')];
  return text !== '' && other !== '' && isLonger(text, other);
}

/** True when the longer text is the shorter one with something put in at one place. */
function isLonger(text: string, other: string): boolean {
  const least = Math.min(text.length, other.length);
  let head = 0;
  while (head < least && text[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < least - head && text.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return head + tail === least;
}

/**
 * Maps a text to the one that something else made of it, line by line where as many came as went: those count as the
 * same lines, changed.
 */
export function replacedLines(
  document: readonly string[],
  after: readonly string[],
): readonly Replaced[] {
  const all = lineChanges(document, after).flatMap(byLine);
  // All of them together are worth so much.
  const most = Math.max(100, MOST_COMPARED / all.length);
  return all.map((change) => {
    const old = document.slice(change.from, change.to);
    return { ...change, isSame: isAlike(old, change.lines, most) };
  });
}

/**
 * Hunks that are about a text which is not there any more: nothing that can be recognised is left of the
 * agent's lines; where it only took lines away, nothing of all that the file held.
 * @param replaced what became of the document's lines
 */
export function lostHunks(review: FileReview, replaced: readonly Replaced[]): readonly Hunk[] {
  if (replaced.length === 0) return [];
  const hunks = hunksOf(review).filter((hunk) => hunk.kind !== 'unsaved');
  const lines = linesOf(review.document);
  const lost = new Set<number>();
  for (const { from, to } of replaced.filter(({ isSame }) => !isSame))
    for (let line = from; line < to; line += 1) lost.add(line);
  if (lost.size === 0) return [];
  const [create] = hunks;
  if (create?.kind === 'create' && isMostlyAnother(lines, lost, replaced)) return hunks;
  const telling = lines.map((line) => isTelling([line]));
  const isOther =
    telling.includes(true) &&
    telling.every((isOne, at) => !isOne || lost.has(at)) &&
    replaced.some((one) => !one.isSame && isTelling(one.lines));
  return hunks.filter(({ documentFrom, documentTo }) => {
    const isTellingOf = telling.slice(documentFrom, documentTo);
    if (!isTellingOf.includes(true)) return isOther;
    // Only taken away, it leaves what the agent took away to decide about.
    const first = firstWhere(replaced, ({ to }) => to > documentFrom);
    const last = firstWhere(replaced, ({ from }) => from >= documentTo);
    const isWrittenOver = replaced
      .slice(first, last)
      .some(({ lines: others, isSame }) => !isSame && isTelling(others));
    return isWrittenOver && isTellingOf.every((isOne, at) => !isOne || lost.has(documentFrom + at));
  });
}

/** Of a new file: whether neither most of what it held is left, nor most of what it holds was there. */
function isMostlyAnother(
  lines: readonly string[],
  lost: ReadonlySet<number>,
  replaced: readonly Replaced[],
): boolean {
  const telling = (some: readonly string[]): number =>
    some.filter((line) => isTelling([line])).length;
  const was = telling(lines);
  const kept = telling(lines.filter((_, index) => !lost.has(index)));
  const came = replaced.reduce((sum, one) => sum + (one.isSame ? 0 : telling(one.lines)), 0);
  return kept * 2 <= was && kept <= came;
}

/** Hunks whose place is again what it would be if they were rejected. */
export function takenBackHunks(review: FileReview, after: readonly string[]): readonly Hunk[] {
  const changes = lineChanges(linesOf(review.baseline), after);
  const [before, there] = [new Set(linesOf(review.baseline)), new Set(after)];
  // Where the same lines stand beside it, another one than the agent's may seem to be gone.
  const isThere = (line: string): boolean =>
    isTelling([line]) && !before.has(line) && there.has(line);
  return hunksOf(review).filter(
    ({ kind, added, baselineFrom, baselineTo }) =>
      kind === 'change' && !isTouched(changes, baselineFrom, baselineTo) && !added.some(isThere),
  );
}

function isTouched(changes: readonly LineChange[], from: number, to: number): boolean {
  return (changes[firstWhere(changes, (one) => one.to >= from)]?.from ?? Infinity) <= to;
}

function byLine(change: LineChange): readonly LineChange[] {
  const { from, to, lines } = change;
  if (lines.length !== to - from) return [change];
  return lines.map((line, index) => ({ from: from + index, to: from + index + 1, lines: [line] }));
}

function shared(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of words) {
    const more = left.get(word) ?? 0;
    if (more === 0) continue;
    left.set(word, more - 1);
    count += 1;
  }
  return count;
}

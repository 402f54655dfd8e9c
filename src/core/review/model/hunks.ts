import { firstWhere } from '../../merge/first-where.ts';
import type { LineChange } from '../../merge/line-changes.ts';
import { differences } from './differences.ts';
import { linesOf, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview, Mark } from './file-review.ts';

/** A pending change. Lines are 0-based, ends not included. */
export interface Hunk {
  /** The same as long as its lines are; other hunks may move it up and down. */
  readonly id: string;
  /** `create`, `delete`, `binary`: it is all of the file. */
  readonly kind: 'change' | 'create' | 'delete' | 'binary';
  readonly baselineFrom: number;
  readonly baselineTo: number;
  readonly documentFrom: number;
  readonly documentTo: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Whose it is; several when several calls made it. Oldest first. */
  readonly by: readonly Attribution[];
  /** The user, a formatter or another program changed lines of it: Undo All leaves it. */
  readonly editedByUser: boolean;
}

/** A pending change of a file: a hunk, or its new name alone. */
export interface PendingChange {
  readonly review: FileReview;
  /** Undefined: the file was only renamed. */
  readonly hunk: Hunk | undefined;
}

/** By document: a row that only remembers other things has the same hunks. */
const known = new WeakMap<
  Content,
  Pick<FileReview, 'baseline' | 'marks' | 'wholeFileBy'> & { readonly hunks: readonly Hunk[] }
>();

/** The pending changes, in the order of the file. */
export function hunksOf(review: FileReview): readonly Hunk[] {
  const { baseline, document, marks, wholeFileBy } = review;
  const found = known.get(document);
  const isKnown =
    found?.baseline === baseline && found.marks === marks && found.wholeFileBy === wholeFileBy;
  if (isKnown) return found.hunks;
  const hunks = computeHunks(review);
  // One object for all that is absent says nothing about a file.
  if (document.kind !== 'absent') known.set(document, { baseline, marks, wholeFileBy, hunks });
  return hunks;
}

/** Hunks that touch lines of the document (0-based, `to` not included): an editor may cut them otherwise. */
export function hunksIn(review: FileReview, from: number, to: number): readonly Hunk[] {
  return hunksOf(review).filter(
    ({ documentFrom, documentTo }) => documentFrom <= to && documentTo >= from,
  );
}

/** Those of the hunks that are meant and still pending. */
export function chosenHunks(
  review: FileReview,
  choice: readonly string[] | 'all',
): readonly Hunk[] {
  const hunks = hunksOf(review);
  return choice === 'all' ? hunks : hunks.filter(({ id }) => choice.includes(id));
}

/** Lists the changes of rows, in the order in which users step through them: as the rows are, then by line. */
export function listChanges(pending: readonly FileReview[]): readonly PendingChange[] {
  return pending.flatMap((review): readonly PendingChange[] => {
    const hunks = hunksOf(review);
    return hunks.length === 0
      ? [{ review, hunk: undefined }]
      : hunks.map((hunk) => ({ review, hunk }));
  });
}

/** Counts the changes of a file with pending changes. A renaming alone is one. */
export function countChanges(review: FileReview): number {
  return Math.max(1, hunksOf(review).length);
}

/** Lists the calls that a file has pending changes of, some of them several times. */
export function listAuthors(review: FileReview): readonly Attribution[] {
  return [...review.wholeFileBy, ...hunksOf(review).flatMap(({ by }) => by)];
}

/** Counts the lines that hunks add and remove, as people do: the newline that ends a text starts no further line. */
export function linesIn(
  review: FileReview,
  hunks: readonly Hunk[] = hunksOf(review),
): { readonly added: number; readonly removed: number } {
  const { baseline, document } = review;
  const [before, after] = [linesOf(baseline), linesOf(document)];
  let [added, removed] = [0, 0];
  for (const hunk of hunks) {
    const put = counted(hunk.added, hunk.documentTo === after.length);
    const taken = counted(hunk.removed, hunk.baselineTo === before.length);
    // The end of the last line alone: the line is another one.
    const isEndAlone = put + taken === 0;
    added += isEndAlone ? hunk.added.length : put;
    removed += isEndAlone ? hunk.removed.length : taken;
  }
  return { added, removed };
}

function counted(lines: readonly string[], isEnd: boolean): number {
  return isEnd && lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** Nothing waits for a decision. */
export function isSettled(review: FileReview): boolean {
  return review.renamedFrom === undefined && isSame(review);
}

const settled = new WeakMap<FileReview, boolean>();

/** Asked for every file at every keystroke. */
function isSame(review: FileReview): boolean {
  const found = settled.get(review);
  if (found !== undefined) return found;
  const same = sameContent(review.baseline, review.document);
  settled.set(review, same);
  return same;
}

function computeHunks(review: FileReview): readonly Hunk[] {
  const { baseline, document } = review;
  if (isSame(review)) return [];
  const isBinary = baseline.kind === 'binary' || document.kind === 'binary';
  const [before, after] = [linesOf(baseline), linesOf(document)];
  const changes =
    isBinary || baseline.kind === 'absent' || document.kind === 'absent'
      ? [{ from: 0, to: before.length, lines: after }]
      : differences(baseline, document);
  const names = idsOf(before, changes);
  const ranges = rangesOf(changes);
  const marksOf = marksAt(review.marks, ranges);
  return changes.map(({ from, to, lines }, index): Hunk => {
    const removed = before.slice(from, to);
    const range = ranges[index] ?? { from, to };
    const marks = marksOf[index] ?? [];
    return {
      id: names[index] ?? '',
      kind: isBinary
        ? 'binary'
        : baseline.kind === 'absent'
          ? 'create'
          : document.kind === 'absent'
            ? 'delete'
            : 'change',
      baselineFrom: from,
      baselineTo: to,
      documentFrom: range.from,
      documentTo: range.to,
      removed,
      added: lines,
      by: authors(review, marks),
      editedByUser: marks.some((mark) => mark.by === 'user' && isWithin(mark, range)),
    };
  });
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the new lines of changes are. */
function rangesOf(changes: readonly LineChange[]): readonly Range[] {
  let offset = 0;
  return changes.map(({ from, to, lines }) => {
    const start = from + offset;
    offset += lines.length - (to - from);
    return { from: start, to: start + lines.length };
  });
}

/** The marks that touch each of the ranges, which are in order. */
function marksAt(marks: readonly Mark[], ranges: readonly Range[]): readonly (readonly Mark[])[] {
  const found = ranges.map((): Mark[] => []);
  for (const mark of marks) {
    const first = firstWhere(ranges, ({ to }) => to >= mark.from);
    for (let at = first; (ranges[at]?.from ?? Infinity) <= mark.to; at += 1) found[at]?.push(mark);
  }
  return found;
}

/**
 * Of hunks with the same lines each says of how many it is which: when one of them is decided the ids of
 * the others are new, so that an id never comes to mean another hunk.
 */
function idsOf(before: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const texts = changes.map(({ from, to, lines }) => {
    const text = `${before.slice(from, to).join('\n')}\0${lines.join('\n')}`;
    return `${fingerprint(text)}-${to - from}-${lines.length}`;
  });
  const totals = new Map<string, number>();
  for (const text of texts) totals.set(text, (totals.get(text) ?? 0) + 1);
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const total = totals.get(text);
    if (total === 1) return text;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return `${text}-${count}of${String(total)}`;
  });
}

/** A mark that only touches a hunk is not of it; an empty mark is text taken out of it. */
function isWithin(mark: Mark, range: Range): boolean {
  return mark.from === mark.to || (mark.from < range.to && mark.to > range.from);
}

function authors(review: FileReview, marks: readonly Mark[]): readonly Attribution[] {
  const all = marks.flatMap(({ by }) => (typeof by === 'string' ? [] : [by]));
  const text = review.baseline.kind === 'text' && review.document.kind === 'text';
  const found = [...(text ? [] : review.wholeFileBy), ...all];
  const calls = new Map(found.map((one) => [`${one.sessionId} ${one.callId}`, one]));
  return [...calls.values()].toSorted((a, b) => a.at - b.at);
}

/** The same for hunks with the same lines, however many there are in the file. */
export function linesKey({ id }: Pick<Hunk, 'id'>): string {
  return id.replace(/-\d+of\d+$/u, '');
}

/** 53 bits of a text, as good as different for different texts of one file. */
export function fingerprint(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}

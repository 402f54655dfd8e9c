import { type LineChange, applyLineChanges, lineChanges } from '../../merge/line-changes.ts';
import { linesOf, remembered, sameContent, sameLines, textWith } from './file-review.ts';
import type { Content, FileReview } from './file-review.ts';
import { type Hunk, hunksOf, isSettled } from './hunks.ts';
import { isTelling, replacedLines } from './recognised.ts';
import { changedOutside } from './user-edits.ts';

/** Lines of a hunk that the person accepted elsewhere: they are not pending again. */
export interface AcceptedLines {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** Pending changes of a file, kept while it holds something else. */
export interface KeptAside {
  readonly review: FileReview;
  readonly accepted: readonly AcceptedLines[];
  /** All that was pending, which nobody decided; else it is what was rejected. */
  readonly undecided: boolean;
  /** The content when the review was kept aside, or what the person made of it since; `undefined`: not known. */
  readonly left: Content | undefined;
  /** The person made the file what `left` is: what is in it already does not come back. */
  readonly typed: boolean;
}

/**
 * A file that something else made another one, with those hunks kept aside whose lines came back by that;
 * the same value when none did.
 * @param now of the file as it is
 * @param aside newest first
 * @param from what the file held before; `undefined`: that is not known
 */
export function withReturned(
  now: FileReview,
  aside: readonly KeptAside[],
  from: Content | undefined,
): FileReview {
  const { memory, knownToModel } = now;
  let next = now;
  const whole = aside.find(
    (one) =>
      one.undecided && sameContent(one.review.document, now.document) && isBack(one.review, one),
  );
  // It is what it was when nothing of it was decided.
  if (whole !== undefined)
    next = { ...withoutAccepted(whole), path: now.path, memory, knownToModel, fileMissing: false };
  for (const one of aside) if (one !== whole) next = joined(next, one, from ?? one.left);
  return next === now ? now : remembered(next);
}

/** False for the content of a review to which nothing but the person's own typing led. */
function isBack(review: FileReview, { typed, left }: KeptAside): boolean {
  return !typed || cameBy(hunksOf(review), left, review.document).length > 0;
}

/** Without what the person accepted in the meantime. */
function withoutAccepted({ review, accepted }: Pick<KeptAside, 'review' | 'accepted'>): FileReview {
  // Nothing of it waits for the file to be saved any more.
  const { unsaved: _, ...pending } = review;
  let next: FileReview = pending;
  for (const pair of accepted) {
    const hunk = hunksOf(next).find((one) => holds(one, pair));
    if (hunk !== undefined) next = withAccepted(next, hunk, pair);
  }
  return next;
}

/** True when nothing is left that could come back. */
export function isUsedUp(aside: Pick<KeptAside, 'review' | 'accepted'>): boolean {
  return isSettled(withoutAccepted(aside));
}

function joined(now: FileReview, kept: KeptAside, from: Content | undefined): FileReview {
  const aside = withoutAccepted(kept);
  if (isSettled(aside)) return now;
  const { document } = now;
  const isSame = sameContent(aside.document, document);
  // Binary content is the agent's when it is that very content.
  const isText = document.kind === 'text' && aside.document.kind === 'text';
  if (!isSame && !isText) return now;
  const { memory, knownToModel: told } = now;
  const all = isSame
    ? { ...aside, fileMissing: false }
    : changedOutside({ ...aside, memory: [] }, document);
  const then = withoutAcceptedLines(all, kept.accepted);
  const hunks = hunksOf(then);
  const isAgain = isSame && isBack(then, kept);
  const came = isAgain
    ? hunks
    : cameBy(
        hunks.filter((hunk) => isOf(hunk, aside)),
        from,
        document,
      );
  if (came.length === 0) return now;
  const isWhole = came.some(({ kind }) => kind !== 'change');
  if (isSettled(now) && (isAgain || isWhole))
    return { ...then, path: now.path, memory, knownToModel: told };
  if (isWhole) return now;
  const known = hunksOf(now);
  const fresh = came.filter((hunk) => !known.some((one) => overlap(hunk, one)));
  if (fresh.length === 0) return now;
  const changes = [...known, ...fresh]
    .toSorted((a, b) => a.documentFrom - b.documentFrom)
    .map(({ documentFrom, documentTo, removed }): LineChange => ({
      from: documentFrom,
      to: documentTo,
      lines: removed,
    }));
  const lines = applyLineChanges(linesOf(document), changes);
  const marks = then.marks.filter((mark) =>
    fresh.some(
      ({ documentFrom, documentTo }) => mark.from <= documentTo && mark.to >= documentFrom,
    ),
  );
  return {
    ...now,
    baseline: textWith(lines),
    marks: [...now.marks, ...marks],
    ...(then.knownToSession !== undefined && { knownToSession: then.knownToSession }),
    ...(now.knownToSession !== undefined && { knownToSession: now.knownToSession }),
    ...(now.kept === undefined && then.kept !== undefined && { kept: then.kept }),
  };
}

/** True when lines that came back are those which were kept aside, and not only like them. */
function isOf({ removed, added }: Hunk, aside: FileReview): boolean {
  if (isTelling(added)) {
    const own = new Set(hunksOf(aside).flatMap((hunk) => hunk.added.map((line) => line.trim())));
    return added.every((line) => !isTelling([line]) || own.has(line.trim()));
  }
  return hunksOf(aside).some(
    (hunk) => sameLines(hunk.removed, removed) && sameLines(hunk.added, added),
  );
}

/** Without lines that are there because the person accepted them, beside others perhaps, and those that they replaced. */
function withoutAcceptedLines(review: FileReview, accepted: readonly AcceptedLines[]): FileReview {
  const { baseline, document } = review;
  const there = linesOf(document);
  const [gone, made] = [new Set<string>(), new Set<number>()];
  let lone: ReadonlyMap<string, number> | undefined;
  for (const pair of accepted) {
    const [at, again] = placesIn(pair.new, there);
    // The same lines twice: one of them may be what was kept aside.
    if (again !== undefined) continue;
    // Else something else put lines between them, or took some away.
    const own =
      at === undefined
        ? pair.new.flatMap((line) => (lone ??= loneLines(there)).get(line) ?? [])
        : isTelling(pair.new)
          ? pair.new.map((_, index) => at + index)
          : [];
    if (own.length === 0) continue;
    for (const line of pair.old) gone.add(line);
    for (const index of own) made.add(index);
  }
  const changes = hunksOf(review).flatMap(({ removed, added, documentFrom, ...hunk }) => {
    const own = added.filter((_, index) => made.has(documentFrom + index));
    if (own.length === 0) return [];
    const lines = [...removed.filter((line) => !gone.has(line)), ...own];
    return { from: hunk.baselineFrom, to: hunk.baselineTo, lines };
  });
  if (changes.length === 0) return review;
  const lines = applyLineChanges(linesOf(baseline), changes);
  return { ...review, baseline: baseline.kind === 'text' ? textWith(lines) : document };
}

/** Where lines with a word stand that are there once. */
function loneLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const lone = new Map<string, number>();
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) lone.delete(line);
    else if (isTelling([line])) lone.set(line, index);
    seen.add(line);
  }
  return lone;
}

function overlap(a: Hunk, b: Hunk): boolean {
  return a.documentFrom <= b.documentTo && b.documentFrom <= a.documentTo;
}

/** Those hunks whose lines the step from one content to another put there, or took away. */
function cameBy(hunks: readonly Hunk[], from: Content | undefined, to: Content): readonly Hunk[] {
  if (from?.kind !== 'text' || to.kind !== 'text')
    return hunks.filter(({ added }) => isTelling(added));
  // Lines that were only taken away are put in again: they are new there, or were there before.
  const gone = hunks.filter(({ added }) => added.length === 0);
  const text = applyLineChanges(
    to.lines,
    gone.map(({ documentFrom: at, removed }) => ({ from: at, to: at, lines: removed })),
  );
  const made = new Set<number>();
  for (const change of lineChanges(text, from.lines))
    for (let line = change.from; line < change.to; line += 1) made.add(line);
  // A line that was changed is not gone.
  const changed = new Set(
    replacedLines(from.lines, to.lines).flatMap((one) =>
      one.isSame ? from.lines.slice(one.from, one.to) : [],
    ),
  );
  let offset = 0;
  return hunks.filter(({ documentFrom, removed, added }) => {
    const start = documentFrom + offset;
    if (added.length === 0) {
      offset += removed.length;
      return !removed.some((line, index) => made.has(start + index) || changed.has(line));
    }
    const own = added.filter((_, index) => made.has(start + index));
    return own.some((line) => isTelling([line]) || !isTelling(added));
  });
}

/** True when accepted lines are some of a hunk's, or all of it is some of them. */
function holds({ removed, added }: Hunk, pair: AcceptedLines): boolean {
  if (sameLines(pair.old, removed) && sameLines(pair.new, added)) return true;
  // Lines were taken away with a yes, whatever came in their place.
  if (added.length === 0 && pair.new.length > 0)
    return isTelling(removed) && placeIn(removed, pair.old) !== -1;
  const [lines, here] = pair.new.length === 0 ? [pair.old, removed] : [pair.new, added];
  // A bracket or an empty line is in many hunks.
  if (!isTelling(lines) || !isTelling(here)) return false;
  return placeIn(lines, here) !== -1 || placeIn(here, lines) !== -1;
}

/** Of lines that a hunk holds these are accepted, and only these. */
function withAccepted(review: FileReview, hunk: Hunk, pair: AcceptedLines): FileReview {
  const { baseline, document } = review;
  if (hunk.kind !== 'change') return { ...review, baseline: document };
  const { removed, added, baselineFrom } = hunk;
  const isAll = placeIn(added, pair.new) !== -1 && placeIn(removed, pair.old) !== -1;
  const oldAt = isAll ? 0 : placeIn(pair.old, removed);
  const lines = isAll ? added : pair.new;
  const count = isAll ? removed.length : oldAt === -1 ? 0 : pair.old.length;
  const at = baselineFrom + (oldAt === -1 ? removed.length : oldAt);
  const next = applyLineChanges(linesOf(baseline), [{ from: at, to: at + count, lines }]);
  return { ...review, baseline: textWith(next) };
}

/** Where lines stand first among others, or -1; none stand anywhere. */
function placeIn(lines: readonly string[], all: readonly string[]): number {
  return lines.length === 0 ? all.length : (placesIn(lines, all)[0] ?? -1);
}

/** Where some lines stand among others. */
function placesIn(lines: readonly string[], all: readonly string[]): readonly number[] {
  return [...all.keys()].filter((at) => lines.every((line, index) => all[at + index] === line));
}

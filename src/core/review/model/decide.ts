import { type LineChange, applyLineChanges } from '../../merge/line-changes.ts';
import { type BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { linesOf, movedMarks, textWith } from './file-review.ts';
import type { Content, FileReview } from './file-review.ts';
import { type Hunk, hunksOf } from './hunks.ts';

/** The work on a file that undoes hunks. */
export interface Undoing {
  /** The review when it is done. */
  readonly review: FileReview;
  /** In the document as it is, in order; an ordinary, undoable edit. */
  readonly edits: readonly LineChange[];
  /** To be done after the edits, in this order. */
  readonly effects: readonly FileEffect[];
}

/** The effect of an undo on a file as a whole. */
export type FileEffect =
  | { readonly kind: 'delete'; readonly path: string }
  /** The agent had deleted it. With LF; the file gets the line ends that it had where they are known. */
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** Its bytes as they were, kept by the host under this hash. */
  | { readonly kind: 'restore'; readonly path: string; readonly hash: string };

/** Hunks by their ids, or all of a file, its renaming included. */
export type Choice = readonly string[] | 'all';

/**
 * The hunks become part of the baseline: nothing changes in the file.
 * @throws BelayError `not_found` when one of them is not pending any more
 */
export function keep(review: FileReview, choice: Choice): FileReview {
  const hunks = chosen(review, choice);
  return settled({ ...review, baseline: keptBaseline(review, hunks) }, choice);
}

function keptBaseline(review: FileReview, hunks: readonly Hunk[]): Content {
  const { baseline, document } = review;
  if (hunks.some(isWhole)) return document;
  if (baseline.kind !== 'text') return baseline;
  const changes = hunks.map(({ baselineFrom, baselineTo, added }) => ({
    from: baselineFrom,
    to: baselineTo,
    lines: added,
  }));
  return textWith(applyLineChanges(baseline.lines, changes));
}

/**
 * The baseline's lines go back into the document.
 * @throws BelayError `not_found` when one of them is not pending any more
 */
export function undo(review: FileReview, choice: Choice): Undoing {
  const hunks = chosen(review, choice);
  const back = choice === 'all' ? review.renamedFrom : undefined;
  const path = back ?? review.path;
  const { document, edits, effects } = undoneDocument(review, hunks, path);
  const marks = movedMarks(review.marks, edits);
  const next = settled({ ...review, path, document, marks }, choice);
  const isThere = review.document.kind !== 'absent' && document.kind !== 'absent';
  const renaming: readonly FileEffect[] =
    back === undefined || !isThere ? [] : [{ kind: 'rename', from: review.path, to: back }];
  return { review: next, edits, effects: [...renaming, ...effects] };
}

function undoneDocument(
  review: FileReview,
  hunks: readonly Hunk[],
  path: string,
): Pick<Undoing, 'edits' | 'effects'> & { readonly document: Content } {
  const { baseline, document } = review;
  if (hunks.some(isWhole)) {
    return { document: baseline, edits: [], effects: [wholeEffect(review, path)] };
  }
  const edits = hunks.map(({ documentFrom, documentTo, removed }) => ({
    from: documentFrom,
    to: documentTo,
    lines: removed,
  }));
  if (edits.length === 0) return { document, edits, effects: [] };
  return { document: textWith(applyLineChanges(linesOf(document), edits)), edits, effects: [] };
}

/** All of the file. */
function isWhole(hunk: Hunk): boolean {
  return hunk.kind !== 'change';
}

function wholeEffect({ baseline, path }: FileReview, oldPath: string): FileEffect {
  switch (baseline.kind) {
    case 'absent':
      return { kind: 'delete', path };
    case 'text':
      return { kind: 'create', path: oldPath, text: baseline.lines.join('\n') };
    case 'binary':
      return { kind: 'restore', path: oldPath, hash: baseline.hash };
    default:
      return baseline satisfies never;
  }
}

function chosen(review: FileReview, choice: Choice): readonly Hunk[] {
  const hunks = hunksOf(review);
  if (choice === 'all') return hunks;
  const wanted = new Set(choice);
  const found = hunks.filter(({ id }) => wanted.has(id));
  if (found.length < wanted.size) throw notPending(review.path);
  return found;
}

function notPending(path: string): BelayError {
  const message = told`This change of ${path} is not pending any more: it was decided, undone or edited meanwhile. Nothing was done; look at the changes that are left.`;
  return fault('not_found', message);
}

/** Forgets who made what was decided. */
function settled(review: FileReview, choice: Choice): FileReview {
  if (choice === 'all') {
    const { renamedFrom: _, kept: __, ...rest } = review;
    return { ...rest, marks: [], wholeFileBy: [] };
  }
  const open = hunksOf({ ...review, marks: [] });
  const marks = review.marks.filter(({ from, to }) =>
    open.some(({ documentFrom, documentTo }) => from <= documentTo && to >= documentFrom),
  );
  return { ...review, marks };
}

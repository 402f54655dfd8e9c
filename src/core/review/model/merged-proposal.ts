import { mergeLines } from '../../merge/merge-lines.ts';
import { type Content, type FileReview, newReview, sameContent, textWith } from './file-review.ts';
import { isSettled } from './hunks.ts';
import { proposalEdited, united } from './proposals.ts';

/**
 * A proposal that two windows edited at the same time, with what both put into it and without what either of them
 * took away.
 * @param base as both knew it
 * @param own edited here
 * @param stored edited, or decided in parts, there
 */
export function mergedProposal(base: FileReview, own: FileReview, stored: FileReview): FileReview {
  const texts = [base.document, stored.document, own.document] as const;
  if (own.document.kind !== 'text' || texts.some(({ kind }) => kind === 'binary')) return stored;
  return proposalEdited(stored, merged(...texts));
}

/** A proposal as it was last stored or read, and as it is here. */
export interface EditedProposal {
  readonly base: FileReview | undefined;
  readonly own: FileReview | undefined;
}

/**
 * Rebases edits of a proposal that another window decided as a whole meanwhile: it had not seen them, so they become a
 * proposal of their own, for the file as the decision left it.
 * @param known edits made while the file was read count as well
 * @param isTaken true when something else is pending at its path
 */
export async function editsLeft(
  known: () => EditedProposal,
  isTaken: (path: string) => boolean,
  read: (review: FileReview) => Promise<Content>,
): Promise<FileReview | undefined> {
  const review = edited(known())?.own;
  if (review === undefined) return undefined;
  const { renamedFrom, ...moved } = review;
  const there = await read(moved);
  const isBack = there.kind === 'absent' && renamedFrom !== undefined && !isTaken(renamedFrom);
  const file = isBack ? await read(review) : there;
  const last = edited(known());
  if (last === undefined) return undefined;
  const { base, own } = last;
  const { knownToModel: told, knownToSession: toldTo } = own;
  const now = newReview(isBack ? renamedFrom : review.path, file);
  const text = merged(base.document, file, own.document);
  const next = proposalEdited(
    { ...now, knownToModel: told, ...(toldTo && { knownToSession: toldTo }) },
    text,
  );
  return isSettled(next) ? undefined : next;
}

function edited({
  base,
  own,
}: EditedProposal): { readonly base: FileReview; readonly own: FileReview } | undefined {
  if (base === undefined || own === undefined) return undefined;
  return sameContent(base.document, own.document) ? undefined : { base, own };
}

function merged(was: Content, theirs: Content, ours: Content): Content {
  const regions = mergeLines(linesOrNone(was), linesOrNone(theirs), linesOrNone(ours));
  const lines = regions.flatMap((region) => {
    if (region.kind === 'conflict') return united(region).lines;
    return region.kind === 'theirs' ? region.theirs : region.ours;
  });
  return textWith(lines);
}

/** Of a file that is not there what either side put into it is all there is. */
const linesOrNone = (content: Content): readonly string[] =>
  content.kind === 'text' ? content.lines : [''];

import type { LineChange } from '../../merge/line-changes.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { differences } from './differences.ts';
import { linesOf, movedMarks, remembered, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview, Mark } from './file-review.ts';
import { isSettled } from './hunks.ts';

/** Facts of an edit beside its lines. */
export interface EditDetails {
  /** The file as it was kept before, where more than its lines counts. */
  readonly kept?: KeptFile | undefined;
  /** Of the text after it: the lines that others have made. */
  readonly marks?: readonly Mark[] | undefined;
}

/** The agent, or a command of it, wrote the file: the document changes, the baseline does not. */
export function agentEdited(review: FileReview, after: Content, by: Attribution): FileReview {
  const { document } = review;
  if (sameContent(document, after)) return review;
  const known = {
    ...remembered(review),
    document: after,
    knownToModel: after,
    knownToSession: by.sessionId,
    fileMissing: false,
  };
  if (document.kind !== 'text' || after.kind !== 'text') {
    // All of it is the agent's, also when somebody else's lines come beside its own.
    const made = after.kind === 'text' ? [{ from: 0, to: after.lines.length, by }] : [];
    return remembered({
      ...known,
      marks: [...conflictsOf(review, after), ...made],
      wholeFileBy: [...review.wholeFileBy, by],
    });
  }
  const changes = differences(document, after);
  const marks = [...movedMarks(review.marks, changes), ...marksOf(changes, by)];
  return remembered({ ...known, marks });
}

/** The new lines of changes, by whom they are; the last first. */
export function marksOf(changes: readonly LineChange[], by: Mark['by']): readonly Mark[] {
  let offset = 0;
  const marks = changes.map(({ from, to, lines }): Mark => {
    const start = from + offset;
    offset += lines.length - (to - from);
    return { from: start, to: start + lines.length, by };
  });
  return marks.toReversed();
}

/** Marks of others, for all of a file that the agent deletes or makes again: what they made of it stays to be looked at. */
function conflictsOf({ document, marks }: FileReview, after: Content): readonly Mark[] {
  if (document.kind !== 'absent' && after.kind !== 'absent') return [];
  const to = linesOf(after).length;
  return marks.flatMap(({ by }) => (by === 'outside' ? { from: 0, to, by } : []));
}

/** Others than the agent made some of the lines, as marks say that are of the same document. */
function withOtherAuthors(review: FileReview, marks: readonly Mark[]): FileReview {
  const others = marks.filter(({ by }) => typeof by === 'string');
  return others.length === 0 ? review : { ...review, marks: [...review.marks, ...others] };
}

/** The agent renamed the file. */
export function agentRenamed(review: FileReview, to: string, by: Attribution): FileReview {
  const { renamedFrom = review.path, ...rest } = review;
  const wholeFileBy = [...review.wholeFileBy, by];
  const next = { ...rest, path: to, wholeFileBy, knownToSession: by.sessionId };
  // A file that the agent made has no other name to go back to.
  const isNew = review.baseline.kind === 'absent';
  return renamedFrom === to || isNew ? next : { ...next, renamedFrom };
}

/** Adds the file kept before the agent's last change of it, if rejecting brings that back. */
function withKept(review: FileReview, before: FileReview, kept: KeptFile | undefined): FileReview {
  if (kept === undefined) return review;
  const { baseline } = review;
  const isBaseline = baseline.kind === 'binary' && baseline.hash === kept.hash;
  return isBaseline || before.kept === undefined || isSettled(before)
    ? { ...review, kept }
    : review;
}

/**
 * The person, or another program, renamed it: there is nothing to decide about that; and where that
 * takes back, or makes, what the agent did, nothing is left to decide either.
 */
export function movedOutside(review: FileReview, from: string, to: string): FileReview {
  const { renamedFrom, ...rest } = review;
  return renamedFrom === undefined || renamedFrom === to
    ? { ...rest, path: to }
    : { ...rest, renamedFrom, path: to };
}

/** Makes the agent's edit, or that of a command of it, part of a review. */
export function withEdit(
  current: FileReview,
  after: Content,
  by: Attribution,
  { kept, marks = [] }: EditDetails,
): FileReview {
  const edited = withKept(agentEdited(current, after, by), current, kept);
  return withOtherAuthors(edited, marks);
}

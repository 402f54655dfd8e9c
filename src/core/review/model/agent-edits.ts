import type { LineChange } from '../../merge/line-changes.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { differences } from './differences.ts';
import { movedMarks, newReview, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview, Mark } from './file-review.ts';
import { isSettled } from './hunks.ts';
import { withOtherHands } from './other-hands.ts';

/** The agent writes a file. */
export interface AgentEdit {
  /** The file as it is now, unsaved text of an editor included. */
  readonly before: Content;
  readonly after: Content;
  /** The file as it was kept before, where more than its lines counts. */
  readonly kept?: KeptFile | undefined;
}

/** Makes an edit of the agent part of a row; what others did to the file before it is theirs. */
export function withAgentEdit(
  row: FileReview | undefined,
  path: string,
  { before, after, kept }: AgentEdit,
  by: Attribution,
): FileReview {
  const found = asFound(row, path, before);
  if (sameContent(before, after)) return found;
  const keeps = found.kept === undefined || isSettled(found) ? kept : undefined;
  return {
    ...found,
    ...(keeps === undefined ? {} : { kept: keeps }),
    document: after,
    knownToModel: after,
    knownToSession: by.sessionId,
    ...authorsAfter(found, after, by),
  };
}

/** The agent renames the file. A file that the agent made has no other name to go back to. */
export function withAgentRename(
  row: FileReview | undefined,
  from: { readonly path: string; readonly content: Content },
  to: string,
  by: Attribution,
): FileReview {
  const { renamedFrom = from.path, ...found } = asFound(row, from.path, from.content);
  const wholeFileBy = [...found.wholeFileBy, by];
  const next = { ...found, path: to, wholeFileBy, knownToSession: by.sessionId };
  const isNew = found.baseline.kind === 'absent';
  return renamedFrom === to || isNew ? next : { ...next, renamedFrom };
}

/** The row of a file as the agent finds it. */
function asFound(row: FileReview | undefined, path: string, content: Content): FileReview {
  if (row === undefined || isSettled(row)) return newReview(path, content);
  return withOtherHands(row, content, 'program');
}

function authorsAfter(
  { document, marks, wholeFileBy }: FileReview,
  after: Content,
  by: Attribution,
): Pick<FileReview, 'marks' | 'wholeFileBy'> {
  if (document.kind !== 'text' || after.kind !== 'text') {
    const all = after.kind === 'text' ? [{ from: 0, to: after.lines.length, by }] : [];
    return { marks: all, wholeFileBy: [...wholeFileBy, by] };
  }
  const changes = differences(document, after);
  return { marks: [...movedMarks(marks, changes), ...marksFor(changes, by)], wholeFileBy };
}

/** Marks the new lines of changes, which are in order and do not overlap. */
export function marksFor(changes: readonly LineChange[], by: Mark['by']): readonly Mark[] {
  let offset = 0;
  return changes.map(({ from, to, lines }): Mark => {
    const start = from + offset;
    offset += lines.length - (to - from);
    return { from: start, to: start + lines.length, by };
  });
}

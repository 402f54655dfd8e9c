import { lineChanges } from '../merge/line-changes.ts';
import { movedMarks, remembered, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview, Mark } from './file-review.ts';

/** The agent, or a command of it, wrote the file: the document changes, the baseline does not. */
export function agentEdited(review: FileReview, after: Content, by: Attribution): FileReview {
  const { document } = review;
  if (sameContent(document, after)) return review;
  const known = {
    ...remembered(review),
    document: after,
    told: after,
    toldTo: by.sessionId,
    gone: false,
  };
  if (document.kind !== 'text' || after.kind !== 'text')
    return remembered({ ...known, marks: [], whole: [...review.whole, by] });
  let { marks } = review;
  const changes = lineChanges(document.lines, after.lines);
  for (const change of changes.toReversed()) {
    const { from, lines } = change;
    const mark: Mark = { from, to: from + lines.length, by };
    marks = [...movedMarks(marks, change), mark];
  }
  return remembered({ ...known, marks });
}

/** The agent renamed the file. */
export function agentRenamed(review: FileReview, to: string, by: Attribution): FileReview {
  const { renamedFrom = review.path, ...rest } = review;
  const next = { ...rest, path: to, whole: [...review.whole, by] };
  return renamedFrom === to ? next : { ...next, renamedFrom };
}

/** The person, or another program, renamed it: there is nothing to decide about that. */
export function movedOutside(review: FileReview, to: string): FileReview {
  return { ...review, path: to };
}

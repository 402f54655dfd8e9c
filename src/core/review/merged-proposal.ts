import { mergeLines } from '../merge/merge-lines.ts';
import { bothOf } from './both-of.ts';
import type { FileReview } from './file-review.ts';
import { proposalEdited } from './proposals.ts';

/**
 * A proposal that two windows edited at the same time, with what both made of it; lines that both changed
 * are there as either has them.
 * @param base as both knew it
 * @param own edited here
 * @param stored edited, or decided in parts, there
 */
export function mergedProposal(base: FileReview, own: FileReview, stored: FileReview): FileReview {
  const texts = [base.document, stored.document, own.document] as const;
  const [was, theirs, ours] = texts;
  if (was.kind !== 'text' || theirs.kind !== 'text' || ours.kind !== 'text') return stored;
  const lines = mergeLines(was.lines, theirs.lines, ours.lines).flatMap((region) => {
    if (region.kind === 'conflict') return bothOf(region.ours, region.theirs);
    return region.kind === 'theirs' ? region.theirs : region.ours;
  });
  return proposalEdited(stored, { kind: 'text', lines: lines.length === 0 ? [''] : lines });
}

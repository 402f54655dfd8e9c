import * as l10n from '@vscode/l10n';
import { type FileReview, linesOf } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../core/review/model/hunks.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { plural } from '../../domain/text/language.ts';

/** Characters of a proposed line that stand beside a line of the file. */
const LONGEST = 160;
/** Changes of one file that are marked in it; the list and the diff show all. */
const MOST = 500;

/** A proposal as the file that it is for shows it. Lines are 0-based, of the file. */
export interface ProposalLines {
  /** Lines that would go; `to` is not included. */
  readonly going: readonly { readonly from: number; readonly to: number }[];
  /** Lines to come, beside lines of the file. */
  readonly coming: readonly { readonly line: number; readonly text: string }[];
}

/**
 * Marks for what is proposed for a file: each line that would go has the one that comes in its place beside
 * it; what only comes stands beside the line before it.
 */
export function proposalLines(review: FileReview): ProposalLines {
  const last = Math.max(0, linesOf(review.baseline).length - 1);
  const hunks = hunksOf(review).slice(0, MOST);
  return {
    going: hunks.flatMap(({ kind, baselineFrom: from, baselineTo }) => {
      // The line end of the last line begins no line of its own.
      const to = Math.min(baselineTo, kind === 'delete' ? last + 1 : baselineTo);
      return from < to ? [{ from, to }] : [];
    }),
    coming: hunks.flatMap((hunk) => comingIn(hunk, last)),
  };
}

function comingIn(
  { kind, baselineFrom: from, baselineTo: to, added }: Hunk,
  last: number,
): ProposalLines['coming'] {
  if (kind !== 'change' || added.length === 0) return [];
  if (from === to) {
    const isFirst = from === 0;
    const line = isFirst ? 0 : Math.min(from - 1, last);
    return [{ line, text: `${isFirst ? '↑' : '↓'} ${oneLine(added)}` }];
  }
  const places = Math.min(to - from, added.length);
  return Array.from({ length: places }, (_, index) => {
    const rest = index === places - 1 ? added.slice(index) : added.slice(index, index + 1);
    return { line: from + index, text: `→ ${oneLine(rest)}` };
  });
}

/** The first line that says something, and how many there are beside it. */
function oneLine(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const text = makeVisible(first.trim());
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const more = lines.length - 1;
  const shown = cut === '' ? l10n.t('(blank)') : cut;
  return more === 0 ? shown : plural(more, '{1}  +{0} more line', '{1}  +{0} more lines', shown);
}

import * as l10n from '@vscode/l10n';
import type { Attribution } from '../../core/review/model/file-review.ts';
import type { Hunk } from '../../core/review/model/hunks.ts';
import { describeBinary } from '../../core/review/model/binary-words.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { Step } from './change-order.ts';

/**
 * Who made a change and why, in a line: "edit_file for “add tests” · edited by you".
 * @param requestOf how the person's message begins, or another name for what was asked; where it is known
 */
export function originText(
  { by, editedByUser }: Hunk,
  requestOf: (by: Attribution) => string | undefined,
): string {
  const last = by.at(-1);
  const tools = [...new Set(by.map(({ tool }) => cut(tool)))].join(', ');
  const title = last === undefined ? '' : last.why || (requestOf(last) ?? '');
  const who = tools === '' ? 'Belay' : tools;
  return [
    title === '' ? who : l10n.t('{0} for “{1}”', who, cut(title)),
    ...(editedByUser ? [l10n.t('edited by you')] : []),
  ].join(' · ');
}

/** The parts of a change that a place in a text does not show. */
function beside({ hunk, review }: Step['change']): string {
  if (hunk === undefined) return `, ${l10n.t('renamed')}`;
  if (hunk.kind === 'delete') return `, ${l10n.t('deleted')}`;
  const binary = describeBinary(review);
  return binary === '' ? '' : `, ${binary}`;
}

/** Where a step led, in words for the status bar and for a screen reader. */
export function stepText({ change, number, total }: Step, name: string): string {
  return `${l10n.t('Change {0} of {1}, {2}', number, total, name)}${beside(change)}`;
}

/** Characters of a title or a command line beside a change. */
const MAX_CHARS = 60;

function cut(text: string): string {
  const line = makeVisible(text.replaceAll(/\s+/gu, ' ').trim());
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
}

import * as l10n from '@vscode/l10n';
import { numeral, plural } from '../../../domain/text/language.ts';
import { leftOutLines } from '../left-out.ts';
import type { CleanedUp, StorageFacts } from './checkpoint-storage.ts';

export function storageTitle({ bytes, limits }: StorageFacts): string {
  if (limits.bytes === 0)
    return l10n.t('Checkpoints are switched off; {0} are still stored.', megabytes(bytes));
  return l10n.t(
    'Checkpoints of this workspace take {0} of at most {1}.',
    megabytes(bytes),
    megabytes(limits.bytes),
  );
}

/** The kept and the left out, line by line; `date` writes a moment for the person. */
export function storageLines(
  { requests, calls, oldest, limits, leftOut }: StorageFacts,
  date: (at: number) => string,
): readonly string[] {
  const left = leftOut === undefined ? [] : leftOutLines(leftOut);
  return [
    oldest === undefined
      ? l10n.t('Nothing is kept yet.')
      : l10n.t(
          'Before requests: {0}; of calls that changed files: {1}; the oldest is of {2}.',
          numeral(requests),
          numeral(calls),
          date(oldest),
        ),
    l10n.t(
      'Each is kept for {0} days at most; when there is too little room the oldest go first.',
      limits.days,
    ),
    ...(left.length === 0 ? [] : ['', l10n.t('Not in checkpoints:'), ...left]),
  ];
}

export function cleanedUpText({ deleted, left }: CleanedUp): string {
  const checkpoints = plural(deleted, '{0} checkpoint deleted.', '{0} checkpoints deleted.');
  const rest =
    left === undefined
      ? l10n.t('Another window works in this workspace: the space is given back when it is closed.')
      : l10n.t('{0} are stored. What was stored in the last minutes stays.', megabytes(left));
  return `${checkpoints} ${rest}`;
}

const megabytes = (bytes: number): string =>
  `${numeral(bytes / 2 ** 20, { maximumFractionDigits: bytes < 2 ** 20 * 100 ? 1 : 0 })} MB`;

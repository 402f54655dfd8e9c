import * as l10n from '@vscode/l10n';
import { numeral } from '../../domain/text/language.ts';
import type { LeftOut, LeftOutReason } from '../ports/files/workspace-snapshots.ts';

/** Everything that is left out, a line for each reason. */
export function leftOutLines({ reasons, ...limits }: LeftOut): readonly string[] {
  return reasons.map(({ why, count, named }) => {
    const more = count > named.length ? ', …' : '';
    return `${count} × ${saidOf(why, limits)}: ${named.join(', ')}${more}`;
  });
}

type Limits = Omit<LeftOut, 'reasons'>;

function saidOf(why: LeftOutReason, { largestFile, mostFiles }: Limits): string {
  switch (why) {
    case 'ignored':
      return l10n.t('ignored by git');
    case 'large':
      return l10n.t('is larger than {0} MB', numeral(Math.floor(largestFile / 2 ** 20)));
    case 'unreadable':
      return l10n.t('cannot be read');
    case 'special':
      return l10n.t('is no regular file');
    case 'too_many':
      return l10n.t('is beyond the first {0} files', numeral(mostFiles));
    default:
      return why satisfies never;
  }
}

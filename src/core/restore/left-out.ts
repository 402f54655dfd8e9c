import type { LeftOut, LeftOutReason } from '../ports/files/workspace-snapshots.ts';

/** Names in the one line. */
const NAMED = 3;

/** One line about what checkpoints leave out without an ignore rule. */
export function leftOutLine({ reasons, ...limits }: LeftOut): string | undefined {
  const others = reasons.filter(({ why }) => why !== 'ignored');
  const count = others.reduce((sum, reason) => sum + reason.count, 0);
  if (count === 0) return undefined;
  const named = others
    .flatMap(({ why, named }) => named.map((name) => `${name} ${saidOf(why, limits)}`))
    .slice(0, NAMED);
  const more = count > named.length ? ', …' : '';
  const files = count === 1 ? '1 file is' : `${count} files are`;
  return `${files} not in checkpoints: ${named.join(', ')}${more}`;
}

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
      return 'ignored by git';
    case 'large':
      return `is larger than ${Math.floor(largestFile / 2 ** 20)} MB`;
    case 'unreadable':
      return 'cannot be read';
    case 'special':
      return 'is no regular file';
    case 'too_many':
      return `is beyond the first ${mostFiles} files`;
    default:
      return why satisfies never;
  }
}

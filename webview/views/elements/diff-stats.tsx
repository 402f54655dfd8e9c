import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { DiffStat } from '../../../src/protocol/view.ts';

/** "+12 −3". */
export function DiffStats({
  diff,
}: {
  readonly diff: Pick<DiffStat, 'added' | 'removed' | 'creates'>;
}): ComponentChildren {
  const label = diff.creates
    ? l10n.t('{0} lines added, {1} removed, a new file', diff.added, diff.removed)
    : l10n.t('{0} lines added, {1} removed', diff.added, diff.removed);
  return (
    <span class="diff-stats" role="img" title={label} aria-label={label}>
      {diff.added > 0 && <span class="added">{`+${diff.added}`}</span>}
      {diff.removed > 0 && <span class="removed">{`−${diff.removed}`}</span>}
    </span>
  );
}

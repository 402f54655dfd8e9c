import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ChangeComment } from '../../../src/domain/review/change-comment.ts';
import { makeVisible } from '../../../src/domain/text/honest-text.ts';
import { usePanel } from '../../panel.ts';
import { DiffLines, parseDiff } from '../elements/diff-lines.tsx';
import { Icon } from '../elements/icon.tsx';

/** A comment of the person's on a pending change: where it was made, and the change as it was then, folded. */
export function CommentedChange({
  comment: { path, from, to, diff },
  foldKey,
}: {
  readonly comment: ChangeComment;
  /** Names the fold within the panel. */
  readonly foldKey: string;
}): ComponentChildren {
  const panel = usePanel();
  const unfolded = panel.conversation.folds.value.get(foldKey) ?? false;
  const lines = from === to ? l10n.t('line {0}', from) : l10n.t('lines {0} to {1}', from, to);
  return (
    <div class="commented-change">
      <div class="commented-place">
        <Icon name="comment" label={l10n.t('Comment on a pending change')} />
        <button
          type="button"
          class="link"
          onClick={() => panel.markdown.open({ kind: 'file', path, line: from })}
        >
          {`${makeVisible(path)}, ${lines}`}
        </button>
        <button
          type="button"
          class="link"
          aria-expanded={unfolded}
          onClick={() => panel.conversation.fold(foldKey, !unfolded)}
        >
          {unfolded ? l10n.t('Hide change') : l10n.t('Show change')}
        </button>
      </div>
      {unfolded && (
        <DiffLines lines={parseDiff(diff)} label={l10n.t('Change that the comment is about')} />
      )}
    </div>
  );
}

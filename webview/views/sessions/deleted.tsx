import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';

/** Sessions that were just deleted, and the way to have them back. */
export function Deleted(): ComponentChildren {
  const panel = usePanel();
  const deleted = panel.store.sessions.deleted.value;
  return (
    <div class="deleted" role="status" hidden={deleted === null}>
      <span class="deleted-words">{deleted?.said}</span>
      {deleted?.canUndo === true && (
        <button type="button" class="link" onClick={() => panel.host.do('undoDelete', {})}>
          {l10n.t('Undo')}
        </button>
      )}
      <IconButton
        icon="close"
        label={deleted?.canUndo === true ? l10n.t('Delete for good now') : l10n.t('Close')}
        onClick={() => panel.host.do('finishDelete', {})}
      />
    </div>
  );
}

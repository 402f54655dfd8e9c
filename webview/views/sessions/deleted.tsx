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
          Undo
        </button>
      )}
      <IconButton
        icon="close"
        label={deleted?.canUndo === true ? 'Delete for good now' : 'Close'}
        onClick={() => panel.host.do('finishDelete', {})}
      />
    </div>
  );
}

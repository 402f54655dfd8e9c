import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { SessionRow } from '../../../src/protocol/snapshot.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import type { Selection } from './selection.ts';

interface BulkProps {
  readonly selection: Selection;
  readonly rows: readonly SessionRow[];
  readonly onDelete: (ids: readonly string[]) => void;
}

/** Actions on all sessions that are selected. */
export function BulkBar({ selection, rows, onDelete }: BulkProps): ComponentChildren {
  const panel = usePanel();
  const { ids } = selection;
  if (ids.length === 0) return null;
  const chosen = rows.filter(({ id }) => selection.has(id));
  const pinned = chosen.every((row) => row.pinned === true);
  const archived = chosen.every((row) => row.archived === true);
  const mark = (marks: { readonly pinned?: boolean; readonly archived?: boolean }): void => {
    selection.set([]);
    panel.host.do('markSessions', { sessionIds: [...ids], ...marks });
  };
  return (
    <div class="bulk" role="toolbar" aria-label={l10n.t('Selected sessions')}>
      <span class="bulk-count" role="status">
        {l10n.t('{0} selected', ids.length)}
      </span>
      <span class="spring" />
      <IconButton
        icon={pinned ? 'pinned' : 'pin'}
        label={pinned ? l10n.t('Unpin') : l10n.t('Pin')}
        onClick={() => mark({ pinned: !pinned })}
      />
      <IconButton
        icon={archived ? 'inbox' : 'archive'}
        label={archived ? l10n.t('Take out of the archive') : l10n.t('Archive')}
        onClick={() => mark({ archived: !archived })}
      />
      <IconButton icon="trash" label={l10n.t('Delete')} onClick={() => onDelete(ids)} />
      <IconButton
        icon="close"
        label={l10n.t('Select none (Esc)')}
        onClick={() => selection.set([])}
      />
    </div>
  );
}

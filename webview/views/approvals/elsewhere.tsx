import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { Icon } from '../elements/icon.tsx';

/** Approvals and questions of sessions that are not on screen reach the person all the same (D9). */
export function Elsewhere(): ComponentChildren {
  const panel = usePanel();
  const { session } = panel.store;
  const { rows } = panel.store.sessions;
  const shown = session.id.value;
  const waiting = rows.value.filter(
    (row) => row.id !== shown && (row.state === 'approval' || row.state === 'question'),
  );
  return waiting.map((row) => (
    <div class="elsewhere" key={row.id} role="status">
      <Icon name={row.state === 'approval' ? 'shield' : 'question'} class="bead" />
      <span class="elsewhere-text">
        {`“${row.title === '' ? l10n.t('Untitled') : row.title}” ${row.state === 'approval' ? l10n.t('waits for your approval') : l10n.t('asks you something')}`}
      </span>
      <button
        type="button"
        class="link"
        onClick={() => panel.host.do('openSession', { sessionId: row.id })}
      >
        {l10n.t('Open')}
      </button>
    </div>
  ));
}

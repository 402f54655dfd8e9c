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
        {`“${row.title === '' ? 'Untitled' : row.title}” ${row.state === 'approval' ? 'waits for your approval' : 'asks you something'}`}
      </span>
      <button
        type="button"
        class="link"
        onClick={() => panel.host.do('openSession', { sessionId: row.id })}
      >
        Open
      </button>
    </div>
  ));
}

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { plural } from '../../../src/domain/text/language.ts';
import type { SessionRow } from '../../../src/protocol/snapshot.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { Icon } from '../elements/icon.tsx';
import { DockRow, type RowProps, useFold } from './dock-row.tsx';

/** Finds the sessions that are not on screen and wait for the user (D9). */
export function findWaitingSessions({ store }: Panel): readonly SessionRow[] {
  const shown = store.session.id.value;
  return store.sessions.rows.value.filter(
    ({ id, state }) => id !== shown && (state === 'approval' || state === 'question'),
  );
}

/** Approvals and questions of other sessions: the session, or how many there are. */
export function ElsewhereRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const fold = useFold('elsewhere');
  const waiting = findWaitingSessions(panel);
  const [first] = waiting;
  if (first === undefined) return null;
  const name = l10n.t('Other sessions');
  if (waiting.length === 1)
    return (
      <DockRow
        name={name}
        class="elsewhere"
        role="status"
        icon={<Icon name={first.state === 'approval' ? 'shield' : 'question'} class="bead" />}
        label={describe(first)}
        title={describe(first)}
        buttons={<Open row={first} />}
        more={more}
      />
    );
  return (
    <DockRow
      name={name}
      class="elsewhere"
      role="status"
      fold={fold}
      label={plural(
        waiting.length,
        '{0} other session needs your input',
        '{0} other sessions need your input',
      )}
      more={more}
    >
      {fold.isOpen && (
        <ul class="dock-body">
          {waiting.map((row) => (
            <li class="dock-item" key={row.id}>
              <span class="dock-name">{describe(row)}</span>
              <Open row={row} />
            </li>
          ))}
        </ul>
      )}
    </DockRow>
  );
}

function Open({ row }: { readonly row: SessionRow }): ComponentChildren {
  const panel = usePanel();
  return (
    <button
      type="button"
      class="link"
      onClick={() => panel.host.do('openSession', { sessionId: row.id })}
    >
      {l10n.t('Open')}
    </button>
  );
}

function describe({ title, state }: SessionRow): string {
  const name = title === '' ? l10n.t('Untitled') : title;
  return state === 'approval'
    ? l10n.t('“{0}” needs your approval', name)
    : l10n.t('“{0}” asks you a question', name);
}

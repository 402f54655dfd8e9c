import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { DockRow, type RowProps } from './dock-row.tsx';

/** Stands in place of the input in a sub-agent's session, which only the session above it writes to. */
export function ParentRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const parent = panel.store.session.parent.value;
  if (parent === null) return null;
  const words = l10n.t('The work of a sub-agent. It reports to the session above it.');
  return (
    <DockRow
      name={l10n.t('Sub-agent')}
      icon={<Icon name="hubot" />}
      label={words}
      title={words}
      buttons={
        <Button
          icon="arrow-up"
          title={parent.title}
          onClick={() => panel.host.do('openSession', { sessionId: parent.sessionId })}
        >
          {l10n.t('Back to the session above')}
        </Button>
      }
      more={more}
    />
  );
}

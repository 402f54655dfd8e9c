import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { plural } from '../../../src/domain/text/language.ts';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { DockRow, type RowProps } from './dock-row.tsx';

/** Counts the running sub-agents and stops them without the run; each one can be stopped on its card. */
export function AgentsRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const children = panel.store.session.children.value;
  return (
    <DockRow
      name={l10n.t('Sub-agents')}
      icon={<Icon name="hubot" />}
      label={plural(children.length, '{0} sub-agent running', '{0} sub-agents running')}
      buttons={
        <Button
          icon="debug-stop"
          title={l10n.t('Stop all sub-agents')}
          onClick={() => children.forEach(({ sessionId }) => panel.host.do('stop', { sessionId }))}
        >
          {l10n.t('Stop all')}
        </Button>
      }
      more={more}
    />
  );
}

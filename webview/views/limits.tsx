import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { PanelCommand } from '../../src/protocol/requests.ts';
import { usePanel } from '../panel.ts';
import { Icon } from './elements/icon.tsx';

/** Said at the top: what limits Belay in this window, and the way out. */
export function Limits(): ComponentChildren {
  const panel = usePanel();
  const { trusted, hasWorkspace, lostKey } = panel.store.app.value;
  return (
    <>
      {!hasWorkspace && (
        <Line icon="folder">
          {l10n.t('No folder is open: Belay can answer, but there are no files to work on.')}
        </Line>
      )}
      {hasWorkspace && !trusted && (
        <Line icon="shield">
          {l10n.t('This workspace is not trusted: Belay only reads and searches.')}
          <Way command="manageTrust">{l10n.t('Manage Workspace Trust')}</Way>
        </Line>
      )}
      {lostKey !== null && (
        <Line icon="key">
          {l10n.t('The API key for {0} is gone. Nothing is sent there without it.', lostKey)}
          <Way command="setApiKey">{l10n.t('Set API Key')}</Way>
          <Way command="useWithoutKey">{l10n.t('Use Without a Key')}</Way>
        </Line>
      )}
    </>
  );
}

function Line({
  icon,
  children,
}: {
  readonly icon: string;
  readonly children: ComponentChildren;
}): ComponentChildren {
  return (
    <div class="limits" role="status">
      <Icon name={icon} />
      <span class="words">{children}</span>
    </div>
  );
}

function Way({
  command,
  children,
}: {
  readonly command: PanelCommand;
  readonly children: string;
}): ComponentChildren {
  const panel = usePanel();
  return (
    <button type="button" class="link" onClick={() => panel.host.do('runCommand', { command })}>
      {children}
    </button>
  );
}

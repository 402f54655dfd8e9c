import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';

/** The run is in the background, or on its way there or back. */
export function InBackground(): ComponentChildren {
  const panel = usePanel();
  const { id, detached, run } = panel.store.session;
  const state = detached.value;
  const sessionId = id.value;
  if (state === null || sessionId === null) return null;
  const takeBack = (
    <Button
      icon="reply"
      title={l10n.t('The run goes on in this window')}
      onClick={() => panel.host.do('takeBack', { sessionId })}
    >
      {l10n.t('Take Back')}
    </Button>
  );
  if (run.value.phase !== 'idle')
    return (
      <div class="retry" role="status">
        <span>
          {l10n.t('Goes on in the background after this step, or when the window closes.')}
        </span>
        {takeBack}
      </div>
    );
  const isOn = state === 'working';
  return (
    <div class="run-status is-background" role="status">
      <Icon
        name={isOn ? 'server-process' : 'loading'}
        class={`bead${isOn ? '' : ' codicon-modifier-spin'}`}
      />
      <span class="phase">{WORDS[state]}</span>
      {isOn && takeBack}
      {(isOn || state === 'returning') && (
        <Button icon="debug-stop" onClick={() => panel.host.do('stop', { sessionId })}>
          {l10n.t('Stop')}
        </Button>
      )}
    </div>
  );
}

const WORDS = {
  leaving: l10n.t('Goes to the background…'),
  working: l10n.t('Runs in the background'),
  stopping: l10n.t('Stopping…'),
  returning: l10n.t('Comes back after this step…'),
} as const;

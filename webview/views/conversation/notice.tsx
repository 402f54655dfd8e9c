import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { NoticeAction, NoticeView } from '../../../src/protocol/view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';

const WORDS: Readonly<Record<NoticeAction, string>> = {
  set_api_key: l10n.t('Set API Key'),
  choose_model: l10n.t('Choose Model'),
  continue: l10n.t('Continue'),
  retry: l10n.t('Retry'),
  show_log: l10n.t('Show Log'),
  new_session: l10n.t('New session'),
  open_settings: l10n.t('Open Settings'),
  compact: l10n.t('Compact'),
  try_demo: l10n.t('Try the Demo'),
  undo_rules: l10n.t('Undo'),
  show_rules: l10n.t('Show Rules'),
  redo_restore: l10n.t('Redo'),
};

interface NoticeProps {
  readonly notice: NoticeView;
  readonly onDismiss: () => void;
  readonly children?: ComponentChildren;
}

/** A sentence with a way on. */
export function Notice({ notice, onDismiss, children }: NoticeProps): ComponentChildren {
  const panel = usePanel();
  return (
    <div class={`notice is-${notice.level}`} role={notice.level === 'error' ? 'alert' : 'status'}>
      <Icon name={notice.level} class="notice-icon" />
      <div class="notice-body">
        <p>{notice.message}</p>
        {children}
        {notice.actions.length > 0 && (
          <div class="notice-buttons">
            {notice.actions.map((action, index) => (
              <Button
                key={action}
                kind={index === 0 ? 'primary' : 'secondary'}
                onClick={() => act(panel, action, notice, onDismiss)}
              >
                {WORDS[action]}
              </Button>
            ))}
          </div>
        )}
      </div>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}

function act(panel: Panel, action: NoticeAction, notice: NoticeView, onDismiss: () => void): void {
  const sessionId = panel.store.session.id.peek();
  switch (action) {
    case 'set_api_key':
      panel.host.do('runCommand', { command: 'setApiKey' });
      break;
    case 'choose_model':
      document.querySelector<HTMLElement>('[data-picker="model"] button')?.click();
      break;
    case 'continue':
    case 'retry':
      if (sessionId !== null) panel.host.do('continueRun', { sessionId });
      break;
    case 'new_session':
      panel.host.do('newSession', {});
      break;
    case 'show_log':
      panel.host.do('runCommand', { command: 'showLog' });
      break;
    case 'open_settings':
      panel.host.do('openSettings', { query: 'belay' });
      break;
    case 'compact':
      if (sessionId !== null) panel.host.do('compact', { sessionId });
      break;
    case 'try_demo':
      panel.host.do('tryDemo', {});
      break;
    case 'undo_rules':
      panel.host.do('removeRules', { sessionId, rules: [...(notice.rules ?? [])] });
      onDismiss();
      break;
    case 'redo_restore':
      if (sessionId !== null) panel.host.do('redoRestore', { sessionId });
      break;
    case 'show_rules':
      panel.host.do('openCenter', { section: 'rules' });
      break;
    default:
      action satisfies never;
  }
}

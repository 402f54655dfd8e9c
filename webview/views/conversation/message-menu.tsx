import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { MessageAction } from '../../../src/protocol/requests.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { Menu } from '../elements/menu.tsx';

const ACTIONS = [
  { value: 'restore_files', label: l10n.t('Restore Files…'), icon: 'discard' },
  {
    value: 'restore_conversation',
    label: l10n.t('Restore Conversation…'),
    icon: 'comment-discussion',
  },
  { value: 'restore_both', label: l10n.t('Restore Both…'), icon: 'history' },
  { value: 'fork', label: l10n.t('Fork from Here…'), icon: 'repo-forked' },
  { value: 'edit', label: l10n.t('Edit & Send Again…'), icon: 'edit' },
  { value: 'other_model', label: l10n.t('Send Again with Another Model…'), icon: 'sync' },
] as const satisfies readonly {
  readonly value: MessageAction;
  readonly label: string;
  readonly icon: string;
}[];

/** Ways back from a message of the person; their effects are asked about first. */
export function MessageMenu({ messageId }: { readonly messageId: string }): ComponentChildren {
  const panel = usePanel();
  const why = panel.run.hindrance.value;
  return (
    <Menu
      label={l10n.t('Restore, fork or edit')}
      class="message-actions"
      {...(why === '' ? {} : { heading: why })}
      items={ACTIONS.map((action) => ({ ...action, disabled: why }))}
      onPick={(action) => act(panel, messageId, action)}
    >
      <Icon name="ellipsis" />
    </Menu>
  );
}

/** Goes on from an answer in a session of its own. */
export function ForkButton({ messageId }: { readonly messageId: string }): ComponentChildren {
  const panel = usePanel();
  const why = panel.run.hindrance.value;
  return (
    <IconButton
      icon="repo-forked"
      label={why === '' ? l10n.t('Fork from here') : l10n.t('Fork from here. {0}', why)}
      disabled={why !== ''}
      onClick={() => act(panel, messageId, 'fork')}
    />
  );
}

function act(panel: ReturnType<typeof usePanel>, messageId: string, action: MessageAction): void {
  const sessionId = panel.store.session.id.peek();
  if (sessionId !== null) panel.host.do('messageAction', { sessionId, messageId, action });
}

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { MessageAction } from '../../../src/protocol/requests.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { Menu, type MenuItem } from '../elements/menu.tsx';
import type { MessageEntry } from '../../transcript.ts';
import { markdownOf, shownText } from './message-text.ts';

type Choice = MessageAction | 'copy' | 'copy_markdown';

const COPIES = [
  { value: 'copy', label: l10n.t('Copy'), icon: 'copy' },
  { value: 'copy_markdown', label: l10n.t('Copy as Markdown'), icon: 'markdown' },
] as const satisfies readonly MenuItem<Choice>[];

const ACTIONS = [
  { value: 'edit', label: l10n.t('Edit & Send Again…'), icon: 'edit' },
  { value: 'retry', label: l10n.t('Send Again…'), icon: 'refresh' },
  { value: 'other_model', label: l10n.t('Send Again with Another Model…'), icon: 'sync' },
  { value: 'fork', label: l10n.t('Fork from Here…'), icon: 'repo-forked' },
  { value: 'restore_files', label: l10n.t('Restore Files…'), icon: 'discard' },
  {
    value: 'restore_conversation',
    label: l10n.t('Restore Conversation…'),
    icon: 'comment-discussion',
  },
  { value: 'restore_both', label: l10n.t('Restore Both…'), icon: 'history' },
] as const satisfies readonly MenuItem<MessageAction>[];

/** Of an answer: its request is what is sent again. */
const ANSWER_ACTIONS = [
  { value: 'retry', label: l10n.t('Retry…'), icon: 'refresh' },
  { value: 'other_model', label: l10n.t('Retry with Another Model…'), icon: 'sync' },
  { value: 'fork', label: l10n.t('Fork from Here…'), icon: 'repo-forked' },
] as const satisfies readonly MenuItem<MessageAction>[];

/** Copies of a message, and ways back from it, whose effects are asked about first. */
export function MessageMenu({ entry }: { readonly entry: MessageEntry }): ComponentChildren {
  const panel = usePanel();
  const isAnswer = entry.view.value.role === 'assistant';
  const why = panel.run.hindrance.value;
  const request = isAnswer ? panel.store.transcript.requestOf(entry.id) : entry.id;
  const actions: readonly MenuItem<MessageAction>[] = isAnswer ? ANSWER_ACTIONS : ACTIONS;
  const pick = (choice: Choice): void => {
    if (choice === 'copy') panel.host.do('copy', { text: shownText(entry) });
    else if (choice === 'copy_markdown') panel.host.do('copy', { text: markdownOf(entry) });
    else if (choice === 'fork') act(panel, entry.id, choice);
    else if (request !== undefined) act(panel, request, choice);
  };
  return (
    <Menu<Choice>
      label={isAnswer ? l10n.t('Copy, retry or fork') : l10n.t('Copy, restore, fork or edit')}
      class="message-actions"
      {...(why === '' ? {} : { heading: why })}
      items={[...COPIES, ...actions.map((action) => ({ ...action, disabled: why }))]}
      onPick={pick}
    >
      <Icon name="ellipsis" />
    </Menu>
  );
}

/** Undoes the edits of the turn that an answer ends; shown where there were any. */
export function UndoTurnButton({ messageId }: { readonly messageId: string }): ComponentChildren {
  const panel = usePanel();
  const why = panel.run.hindrance.value;
  const request = panel.store.transcript.requestOf(messageId);
  if (request === undefined || !panel.store.transcript.hasEdits(messageId)) return null;
  return (
    <button
      type="button"
      class="link undo-turn"
      title={why === '' ? l10n.t('Undo the edits of this turn; later edits stay') : why}
      disabled={why !== ''}
      onClick={() => act(panel, request, 'undo_turn')}
    >
      {l10n.t('Undo This Turn')}
    </button>
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

export function act(
  panel: ReturnType<typeof usePanel>,
  messageId: string,
  action: MessageAction,
): void {
  const sessionId = panel.store.session.id.peek();
  if (sessionId !== null) panel.host.do('messageAction', { sessionId, messageId, action });
}

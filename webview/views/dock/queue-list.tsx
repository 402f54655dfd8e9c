import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { QueuedView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { count } from '../../../src/domain/text/language.ts';
import { isComposing } from '../../keyboard/composition.ts';

/** The queued messages in their order, each to be edited. */
export function QueueList(): ComponentChildren {
  const { queue, isQueueHeld } = usePanel().store.session;
  return (
    <div class="dock-body">
      {queue.value.map((queued, index) => (
        <Queued
          key={queued.id}
          queued={queued}
          held={isQueueHeld.value}
          index={index}
          last={index === queue.value.length - 1}
        />
      ))}
    </div>
  );
}

interface QueuedProps {
  readonly queued: QueuedView;
  /** It waits until the user sends it. */
  readonly held: boolean;
  readonly index: number;
  readonly last: boolean;
}

function Queued({ queued, held, index, last }: QueuedProps): ComponentChildren {
  const panel = usePanel();
  const [draft, setDraft] = useState<string>();
  const save = async (): Promise<void> => {
    if (draft === undefined) return;
    const text = draft.trim();
    if (text !== '' && text !== queued.text) {
      const done = await panel.host.ask('editQueued', { id: queued.id, text });
      // A typed text stays when it could not be saved.
      if (done === undefined) return;
    }
    setDraft(undefined);
  };
  const steers = queued.mode === 'steer';
  return (
    <div class="dock-item queued">
      <Icon name={steers ? 'arrow-swap' : 'clock'} label={queuedLabel(steers, held)} />
      {draft === undefined ? (
        <button
          type="button"
          class="queued-text"
          title={l10n.t('Edit')}
          onClick={() => setDraft(queued.text)}
        >
          {queued.text}
          {queued.attachments.length > 0 && (
            <span class="quiet">{` + ${count(queued.attachments.length, 'file')}`}</span>
          )}
        </button>
      ) : (
        <textarea
          value={draft}
          rows={1}
          ref={(element) => {
            if (element !== null && document.activeElement !== element) element.focus();
          }}
          aria-label={l10n.t('Queued message')}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (isComposing(event)) return;
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              event.stopPropagation();
              void save();
            } else if (event.key === 'Escape') {
              event.stopPropagation();
              setDraft(undefined);
            }
          }}
        />
      )}
      <span class="queued-buttons">
        {index > 0 && (
          <IconButton
            icon="arrow-up"
            label={l10n.t('Move up')}
            onClick={() => panel.host.do('moveQueued', { id: queued.id, index: index - 1 })}
          />
        )}
        {!last && (
          <IconButton
            icon="arrow-down"
            label={l10n.t('Move down')}
            onClick={() => panel.host.do('moveQueued', { id: queued.id, index: index + 1 })}
          />
        )}
        <IconButton
          icon="close"
          label={l10n.t('Remove')}
          onClick={() => panel.host.do('removeQueued', { id: queued.id })}
        />
      </span>
    </div>
  );
}

function queuedLabel(steers: boolean, held: boolean): string {
  if (held) return l10n.t('On hold');
  return steers ? l10n.t('Goes in at the next step') : l10n.t('Sent when this run has ended');
}

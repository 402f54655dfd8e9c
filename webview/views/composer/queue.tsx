import * as l10n from '@vscode/l10n';
import type { ComponentChildren, Ref } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../../src/protocol/snapshot.ts';
import type { QueuedView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { count, plural } from '../../../src/domain/text/language.ts';
import { isComposing } from '../../keyboard/composition.ts';

/** Messages that wait for the session, above the input (C7). */
export function Queue(): ComponentChildren {
  const panel = usePanel();
  const queue = panel.store.session.queue.value;
  const first = useRef<HTMLButtonElement>(null);
  if (queue.length === 0) return null;
  const { turn: ownTurn, isQueueHeld, id } = panel.store.session;
  const turn = ownTurn.value;
  const held = isQueueHeld.value;
  return (
    <section class="queue" aria-label={count(queue.length, 'queued message')}>
      {turn !== null && (
        <p class="queue-turn" role="status">
          {turnText(turn)}{' '}
          <Link
            words={l10n.t('Open Settings')}
            onClick={() => panel.host.do('openSettings', { query: '@id:belay.advanced' })}
          />
        </p>
      )}
      {held && (
        <p class="queue-turn" role="status">
          {plural(
            queue.length,
            '{0} queued message is on hold.',
            '{0} queued messages are on hold.',
          )}{' '}
          <Link
            words={l10n.t('Send')}
            onClick={() => panel.host.do('sendQueued', { sessionId: id.value ?? '' })}
          />{' '}
          <Link words={l10n.t('Edit')} onClick={() => first.current?.click()} />{' '}
          <Link
            words={l10n.t('Discard')}
            onClick={() => queue.forEach((one) => panel.host.do('removeQueued', { id: one.id }))}
          />
        </p>
      )}
      {queue.map((queued, index) => (
        <Queued
          key={queued.id}
          queued={queued}
          held={held}
          text={index === 0 ? first : null}
          index={index}
          last={index === queue.length - 1}
        />
      ))}
    </section>
  );
}

function Link(props: { readonly words: string; readonly onClick: () => void }): ComponentChildren {
  return (
    <button type="button" class="link" onClick={props.onClick}>
      {props.words}
    </button>
  );
}

function turnText({ running, before }: NonNullable<SessionView['turn']>): string {
  const first = plural(
    running,
    'Waits for its turn: {0} session is at work, as many as may be at a time.',
    'Waits for its turn: {0} sessions are at work, as many as may be at a time.',
  );
  if (before === 0) return first;
  return `${first} ${plural(before, '{0} session comes before it.', '{0} sessions come before it.')}`;
}

interface QueuedProps {
  readonly queued: QueuedView;
  /** It waits until the user sends it. */
  readonly held: boolean;
  /** Gets the button that shows the text, and opens it for editing. */
  readonly text: Ref<HTMLButtonElement>;
  readonly index: number;
  readonly last: boolean;
}

function Queued({ queued, held, text: shown, index, last }: QueuedProps): ComponentChildren {
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
    <div class="queued">
      <Icon name={steers ? 'arrow-swap' : 'clock'} label={queuedLabel(steers, held)} />
      {draft === undefined ? (
        <button
          type="button"
          class="queued-text"
          ref={shown}
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

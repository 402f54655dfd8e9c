import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import { usePanel } from '../../panel.ts';
import { KEYS } from '../../platform.ts';
import type { ViewState } from '../../view-state.ts';
import { size } from '../../words.ts';
import { IconButton } from '../elements/button.tsx';
import { useComposing, useDraft, type How } from './composing.ts';
import { Icon } from '../elements/icon.tsx';
import { Menu } from '../elements/menu.tsx';
import { Meter } from './meter.tsx';
import { Options } from './options.tsx';
import { optionId, Suggestions } from './suggestions.tsx';

const WAYS = [
  {
    value: 'queue',
    label: 'Queue',
    description: 'Sent when this run has ended.',
    keys: KEYS.send,
    icon: 'clock',
  },
  {
    value: 'steer',
    label: 'Steer',
    description: 'Goes in at the next step of this run.',
    keys: KEYS.steer,
    icon: 'arrow-swap',
  },
  {
    value: 'stop_and_send',
    label: 'Stop and send',
    description: 'Ends this run, then starts a new one.',
    keys: KEYS.stopAndSend,
    icon: 'debug-stop',
  },
] as const;

/** Where a person writes. What is typed survives everything: hiding, reloading, a refused request. */
export function Composer({ viewState }: { readonly viewState: ViewState }): ComponentChildren {
  const panel = usePanel();
  const { session } = panel.store;
  const input = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState('');
  const [attachments, setAttachments] = useState<readonly AttachmentView[]>([]);
  const [over, setOver] = useState(false);
  const change = (text: string): void => {
    setDraft(text);
    viewState.change({ draft: text });
  };
  const composer = useComposing(panel, {
    draft,
    attachments,
    change,
    leaves: (text) => viewState.leaves(text),
    setAttachments,
  });
  useDraft(panel, input, { draft, setDraft, setAttachments, change });
  const busy = session.run.value.phase !== 'idle';
  const broken = session.error.value !== null;
  const elsewhere = session.elsewhere.value;
  const empty = draft.trim() === '' && attachments.length === 0;
  return (
    <div
      class={`composer ${over ? 'is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        composer.drop(event.dataTransfer);
      }}
    >
      <Attachments attachments={attachments} onChange={setAttachments} />
      <Suggestions commands={composer.commands} chosen={composer.chosen} onPick={composer.run} />
      <textarea
        ref={input}
        value={draft}
        rows={1}
        disabled={broken}
        placeholder={placeholderOf(busy, elsewhere)}
        aria-label="Message to Belay"
        aria-controls={composer.commands.length > 0 ? 'suggestions' : undefined}
        aria-activedescendant={composer.commands.length > 0 ? optionId(composer.chosen) : undefined}
        onInput={(event) => change(event.currentTarget.value)}
        onPaste={(event) => composer.paste(event)}
        onBlur={() => viewState.flush()}
        onKeyDown={(event) => composer.key(event)}
      />
      <div class="composer-bar">
        <IconButton icon="attach" label="Attach files" onClick={() => void composer.pick()} />
        <Options />
        <span class="spring" />
        <Meter />
        <SendButton busy={busy} disabled={empty || broken || elsewhere} onSend={composer.send} />
      </div>
    </div>
  );
}

function placeholderOf(busy: boolean, elsewhere: boolean): string {
  if (elsewhere) return 'What you write is kept until the other window is done';
  return busy ? 'Add to the queue…' : 'Ask Belay to do something';
}

interface SendProps {
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onSend: (how: How) => void;
}

function SendButton({ busy, disabled, onSend }: SendProps): ComponentChildren {
  return (
    <span class="send">
      <IconButton
        icon="send"
        class="send-button"
        label={busy ? `Queue (${KEYS.send})` : `Send (${KEYS.send})`}
        disabled={disabled}
        onClick={() => onSend('queue')}
      />
      {busy && (
        <Menu
          label="Ways to send"
          items={WAYS}
          class="send-more"
          disabled={disabled}
          onPick={onSend}
        >
          <Icon name="chevron-down" />
        </Menu>
      )}
    </span>
  );
}

function Attachments({
  attachments,
  onChange,
}: {
  readonly attachments: readonly AttachmentView[];
  readonly onChange: (attachments: readonly AttachmentView[]) => void;
}): ComponentChildren {
  if (attachments.length === 0) return null;
  return (
    <div class="chips">
      {attachments.map((attachment) => (
        <span class="chip" key={attachment.id} title={attachment.path ?? attachment.name}>
          <Icon name={attachment.mediaType.startsWith('image/') ? 'file-media' : 'file'} />
          <span class="name">{attachment.name}</span>
          <span class="quiet">{size(attachment.size)}</span>
          <IconButton
            icon="close"
            label={`Remove ${attachment.name}`}
            onClick={() => onChange(attachments.filter((other) => other.id !== attachment.id))}
          />
        </span>
      ))}
    </div>
  );
}

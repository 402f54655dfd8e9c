import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import { usePanel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import type { ViewState } from '../../view-state.ts';
import { IconButton } from '../elements/button.tsx';
import { bringing } from './bringing.ts';
import { Chips } from './chips.tsx';
import { useComposing, type How } from './composing.ts';
import { useDraft, useDrafted } from './draft.ts';
import { Icon } from '../elements/icon.tsx';
import { Menu } from '../elements/menu.tsx';
import { Meter } from './meter.tsx';
import { Options } from './options.tsx';
import { optionId, Suggestions } from './suggestions.tsx';

const WAYS = [
  {
    value: 'queue',
    label: l10n.t('Queue'),
    description: l10n.t('Sent when this run has ended.'),
    keys: KEYS.send,
    icon: 'clock',
  },
  {
    value: 'steer',
    label: l10n.t('Steer'),
    description: l10n.t('Goes in at the next step of this run.'),
    keys: KEYS.steer,
    icon: 'arrow-swap',
  },
  {
    value: 'stop_and_send',
    label: l10n.t('Stop and send'),
    description: l10n.t('Ends this run, then starts a new one.'),
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
  const [hint, setHint] = useState('');
  const change = (text: string): void => {
    setDraft(text);
    viewState.change({ draft: text });
  };
  const changeAttachments = (
    next: (before: readonly AttachmentView[]) => readonly AttachmentView[],
  ): void =>
    setAttachments((before) => {
      const after = next(before);
      viewState.change({ mentions: after.flatMap(({ mention }) => mention ?? []) });
      return after;
    });
  const drafting = { draft, setDraft, change, setAttachments: changeAttachments };
  const composer = useComposing(panel, input, {
    ...drafting,
    attachments,
    leaves: (message) => viewState.leaves(message),
    hint: setHint,
  });
  const { drop, paste } = bringing(panel, input, composer.mentions, composer.addFiles);
  useDraft(panel, input, drafting);
  useDrafted(panel, viewState, { setDraft, setAttachments });
  const busy = session.run.value.phase !== 'idle';
  const broken = session.error.value !== null;
  const elsewhere = session.elsewhere.value;
  const empty = draft.trim() === '' && attachments.length === 0;
  const { list } = composer;
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
        drop(event.dataTransfer);
      }}
    >
      {list !== null && <Suggestions list={list} onPick={composer.pickRow} />}
      {hint !== '' && <Hint text={hint} />}
      <Chips chips={attachments} onRemove={composer.mentions.remove} />
      <textarea
        ref={input}
        data-home
        value={draft}
        rows={1}
        disabled={broken}
        placeholder={placeholderOf(busy, elsewhere, session.detached.value !== null)}
        aria-label={l10n.t('Message to Belay')}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={list === null ? undefined : 'suggestions'}
        aria-activedescendant={list === null ? undefined : optionId(list.chosen)}
        onInput={(event) => {
          change(event.currentTarget.value);
          if (hint !== '') setHint('');
          composer.typed();
        }}
        onClick={() => composer.typed()}
        onKeyUp={(event) => {
          if (/^(?:Arrow(?:Left|Right)|Home|End)$/u.test(event.key)) composer.typed();
        }}
        onPaste={paste}
        onBlur={() => {
          composer.close();
          viewState.flush();
        }}
        onKeyDown={(event) => composer.key(event)}
      />
      <div class="composer-bar">
        <AttachButton onClick={() => void composer.pick()} />
        <Options />
        <span class="spring" />
        <Meter />
        <SendButton busy={busy} disabled={empty || broken || elsewhere} onSend={composer.send} />
      </div>
    </div>
  );
}

function Hint({ text }: { readonly text: string }): ComponentChildren {
  return (
    <p class="composer-hint" role="status">
      {text}
    </p>
  );
}

function placeholderOf(busy: boolean, elsewhere: boolean, away: boolean): string {
  if (elsewhere && away) return l10n.t('What you write is kept until the run is done');
  if (elsewhere) return l10n.t('What you write is kept until the other window is done');
  return busy ? l10n.t('Add to the queue…') : l10n.t('Ask Belay to do something');
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
        label={busy ? l10n.t('Queue ({0})', KEYS.send) : l10n.t('Send ({0})', KEYS.send)}
        disabled={disabled}
        onClick={() => onSend('queue')}
      />
      {busy && (
        <Menu
          label={l10n.t('Ways to send')}
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

function AttachButton({ onClick }: { readonly onClick: () => void }): ComponentChildren {
  return <IconButton icon="attach" label={l10n.t('Attach files')} onClick={onClick} />;
}

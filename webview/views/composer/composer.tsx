import * as l10n from '@vscode/l10n';
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import type { ViewState } from '../../view-state.ts';
import { useTextAnswer, type TextAnswer } from '../approvals/text-answer.ts';
import { IconButton } from '../elements/button.tsx';
import { bringing } from './bringing.ts';
import { Chips } from './chips.tsx';
import { hasRunRow } from '../dock/run-row.tsx';
import { useComposing, type How } from './composing.ts';
import { useDraft, useDrafted } from './draft.ts';
import { Icon } from '../elements/icon.tsx';
import { Menu, type MenuItem } from '../elements/menu.tsx';
import { Meter } from './meter.tsx';
import { Options } from './options.tsx';
import { optionId, Suggestions } from './suggestions.tsx';

const WAYS = [
  {
    value: 'answer',
    label: l10n.t('Answer'),
    description: l10n.t('Answers the question that the agent asks.'),
    icon: 'comment',
  },
  {
    value: 'queue',
    label: l10n.t('Queue'),
    description: l10n.t('Sent when this run has ended.'),
    icon: 'clock',
  },
  {
    value: 'steer',
    label: l10n.t('Steer'),
    description: l10n.t('Goes in at the next step of this run.'),
    icon: 'arrow-swap',
  },
  {
    value: 'stop_and_send',
    label: l10n.t('Stop and send'),
    description: l10n.t('Ends this run, then starts a new one.'),
    icon: 'debug-stop',
  },
] as const;

/** The send menu, with the keys that do the same. */
const menuItems = (ways: readonly How[]): readonly MenuItem<How>[] =>
  WAYS.filter(({ value }) => ways.includes(value)).map((way) => {
    const keys =
      way.value === 'stop_and_send'
        ? KEYS.stopAndSend
        : [KEYS.send, KEYS.second][ways.indexOf(way.value)];
    return keys === undefined ? way : { ...way, keys };
  });

/** Where a person writes. What is typed survives everything: hiding, reloading, a refused request. */
export function Composer({ viewState }: { readonly viewState: ViewState }): ComponentChildren {
  const panel = usePanel();
  const { session } = panel.store;
  const input = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState('');
  const [attachments, setAttachments] = useState<readonly AttachmentView[]>([]);
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
  const answer = useTextAnswer(draft, attachments.length > 0);
  const drafting = { draft, setDraft, change, setAttachments: changeAttachments };
  const composer = useComposing(panel, input, {
    ...drafting,
    attachments,
    leaves: (message) => viewState.leaves(message),
    question: answer.questionId,
    hint: setHint,
  });
  const { drop, paste } = bringing(panel, input, composer.mentions, composer.addFiles);
  useDraft(panel, input, drafting);
  useDrafted(panel, viewState, { setDraft, setAttachments });
  const busy = session.run.value.phase !== 'idle';
  const broken = session.error.value !== null;
  const elsewhere = session.elsewhere.value;
  const empty = draft.trim() === '' && attachments.length === 0;
  const { list, ways } = composer;
  return (
    <div class="composer" {...dropTarget(drop)}>
      {list !== null && <Suggestions list={list} onPick={composer.pickRow} />}
      <Hint text={hint !== '' || draft === '' ? hint : answer.hint} />
      <Chips chips={attachments} onRemove={composer.mentions.remove} />
      <textarea
        ref={input}
        data-home
        value={draft}
        rows={1}
        disabled={broken}
        placeholder={getPlaceholder(panel, answer)}
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
        <SendButton
          busy={busy}
          ways={ways}
          disabled={empty || broken || elsewhere}
          stop={busy && empty && !hasRunRow(panel) ? () => panel.run.stop() : undefined}
          onSend={composer.send}
        />
      </div>
    </div>
  );
}

/** Marks the input while something is dragged over it. */
const dropTarget = (drop: (data: DataTransfer | null) => void): HTMLAttributes<HTMLDivElement> => ({
  onDragOver: (event) => {
    event.preventDefault();
    event.currentTarget.classList.add('is-over');
  },
  onDragLeave: (event) => event.currentTarget.classList.remove('is-over'),
  onDrop: (event) => {
    event.preventDefault();
    event.currentTarget.classList.remove('is-over');
    drop(event.dataTransfer);
  },
});

function Hint({ text }: { readonly text: string }): ComponentChildren {
  if (text === '') return null;
  return (
    <p class="composer-hint" role="status">
      {text}
    </p>
  );
}

function getPlaceholder(panel: Panel, { questionId, hint }: TextAnswer): string {
  const { run, elsewhere: inOther, detached } = panel.store.session;
  const elsewhere = inOther.value;
  if (elsewhere && detached.value !== null)
    return l10n.t('What you write is kept until the run is done');
  if (elsewhere) return l10n.t('What you write is kept until the other window is done');
  if (questionId !== undefined) return l10n.t('Answer the question…');
  if (hint !== '') return hint;
  return run.value.phase !== 'idle'
    ? l10n.t('Add to the queue…')
    : l10n.t('Ask Belay, @ for context, / for commands');
}

interface SendProps {
  readonly busy: boolean;
  /** The first is the one of the button. */
  readonly ways: readonly How[];
  readonly disabled: boolean;
  /** Stops a run that has no row in the dock. */
  readonly stop: (() => void) | undefined;
  readonly onSend: (how: How) => void;
}

function SendButton({ busy, ways, disabled, stop, onSend }: SendProps): ComponentChildren {
  if (stop !== undefined)
    return <IconButton icon="debug-stop" label={l10n.t('Stop this run')} onClick={stop} />;
  const [first = 'queue'] = ways;
  const label = first === 'answer' ? l10n.t('Answer ({0})', KEYS.send) : sendLabel(busy);
  return (
    <span class="send">
      <IconButton
        icon="send"
        class="send-button"
        label={label}
        disabled={disabled}
        onClick={() => onSend(first)}
      />
      {busy && (
        <Menu
          label={l10n.t('Ways to send')}
          items={menuItems(ways)}
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

const sendLabel = (busy: boolean): string =>
  busy ? l10n.t('Queue ({0})', KEYS.send) : l10n.t('Send ({0})', KEYS.send);

function AttachButton({ onClick }: { readonly onClick: () => void }): ComponentChildren {
  return <IconButton icon="attach" label={l10n.t('Attach files')} onClick={onClick} />;
}

import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AttachmentView, RequestParams } from '../../src/protocol/requests.ts';
import { usePanel, type Panel } from '../panel.ts';
import { commandHeld, KEYS } from '../platform.ts';
import type { ViewState } from '../view-state.ts';
import { size } from '../words.ts';
import { readFiles } from './attachments.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { Meter } from './meter.tsx';
import { Options } from './options.tsx';

type How = RequestParams<'send'>['how'];

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
  const composer = useComposer(panel, { draft, attachments, change, setAttachments });
  useDraft(panel, input, { draft, setDraft, setAttachments, change });
  const busy = session.run.value.phase !== 'idle';
  const broken = session.error.value !== null;
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
      <textarea
        ref={input}
        value={draft}
        rows={1}
        disabled={broken}
        placeholder={busy ? 'Add to the queue…' : 'Ask Belay to do something'}
        aria-label="Message to Belay"
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
        <SendButton busy={busy} disabled={empty || broken} onSend={composer.send} />
      </div>
    </div>
  );
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

interface Drafting {
  readonly draft: string;
  readonly attachments: readonly AttachmentView[];
  readonly change: (text: string) => void;
  readonly setAttachments: (
    change: (before: readonly AttachmentView[]) => readonly AttachmentView[],
  ) => void;
}

let sendings = 0;

/** What can be done with the input. */
function useComposer(
  panel: Panel,
  { draft, attachments, change, setAttachments }: Drafting,
): {
  readonly send: (how: How) => void;
  readonly pick: () => Promise<void>;
  readonly drop: (data: DataTransfer | null) => void;
  readonly paste: (event: ClipboardEvent) => void;
  readonly key: (event: KeyboardEvent) => void;
} {
  const add = (added: readonly AttachmentView[]): void =>
    setAttachments((before) => [...before, ...added]);
  const addFiles = async (files: readonly File[]): Promise<void> => {
    const read = await readFiles(files);
    add(read.attachments);
    for (const problem of read.problems) panel.refuse(problem);
  };
  const send = (how: How): void => {
    const text = draft.trim();
    if (text === '' && attachments.length === 0) return;
    change('');
    setAttachments(() => []);
    void deliver(panel, { text, attachments, how }, () => {
      // A message that was not taken goes back to where it was written.
      panel.insert.value = { text };
      add(attachments);
    });
  };
  return {
    send,
    pick: async () => add((await panel.ask('pickFiles', {}))?.attachments ?? []),
    drop: (data) => {
      const files = [...(data?.files ?? [])];
      if (files.length > 0) {
        void addFiles(files);
        return;
      }
      const text = data?.getData('text/plain') ?? '';
      if (text !== '') panel.insert.value = { text };
    },
    paste: (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void addFiles(files);
    },
    key: (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      if (event.shiftKey && !commandHeld(event)) return;
      const approving = commandHeld(event) && !event.shiftKey && draft.trim() === '';
      if (approving) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) send('steer');
      else send(commandHeld(event) && event.shiftKey ? 'stop_and_send' : 'queue');
    },
  };
}

/** Sends a message; it is shown at once, and given back when the host does not take it. */
async function deliver(
  panel: Panel,
  message: {
    readonly text: string;
    readonly attachments: readonly AttachmentView[];
    readonly how: How;
  },
  giveBack: () => void,
): Promise<void> {
  const { store } = panel;
  sendings += 1;
  const key = sendings;
  const names = message.attachments.map((attachment) => attachment.name);
  store.sending.value = [...store.sending.peek(), { key, text: message.text, attachments: names }];
  panel.toEnd.value += 1;
  const answer = await panel.ask('send', {
    sessionId: store.session.id.peek(),
    text: message.text,
    attachments: [...message.attachments],
    how: message.how,
  });
  store.sending.value = store.sending.peek().filter((one) => one.key !== key);
  if (answer === undefined) giveBack();
}

/** The draft follows the session on screen, and takes what is inserted from outside. */
function useDraft(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  {
    draft,
    setDraft,
    setAttachments,
    change,
  }: Pick<Drafting, 'draft' | 'change' | 'setAttachments'> & {
    readonly setDraft: (text: string) => void;
  },
): void {
  const shown = panel.store.shown.value;
  const inserted = panel.insert.value;
  const focus = panel.focusInput.value;
  useEffect(() => {
    setDraft(panel.store.saved.peek().draft);
    setAttachments(() => []);
  }, [shown]);
  useEffect(() => {
    if (inserted === null) return;
    panel.insert.value = null;
    change(draft === '' ? inserted.text : `${draft.trimEnd()}\n${inserted.text}`);
    input.current?.focus();
  }, [inserted]);
  useEffect(() => input.current?.focus(), [focus, shown]);
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

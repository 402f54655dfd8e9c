import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withGivenBack } from '../../../src/protocol/draft.ts';
import type { AttachmentView, RequestParams } from '../../../src/protocol/requests.ts';
import type { Panel } from '../../panel.ts';
import { commandHeld } from '../../platform.ts';
import { slashCommand, suggestions, type SlashCommand } from '../../slash.ts';
import { readFiles } from './attachments.ts';

/** How a message is sent while a run is on. */
export type How = RequestParams<'send'>['how'];

interface Drafting {
  readonly draft: string;
  readonly attachments: readonly AttachmentView[];
  readonly change: (text: string) => void;
  /** See `ViewState.leaves`. */
  readonly leaves: (text: string) => () => void;
  readonly setAttachments: (
    change: (before: readonly AttachmentView[]) => readonly AttachmentView[],
  ) => void;
}

let sendings = 0;

/** Walks through the suggested commands; says whether the key was for them. */
function choose(
  event: KeyboardEvent,
  list: {
    readonly command: SlashCommand;
    readonly count: number;
    readonly run: (command: SlashCommand) => void;
    readonly change: (text: string) => void;
    readonly move: (change: (before: number) => number) => void;
  },
): boolean {
  const { command, count, run, change, move } = list;
  switch (event.key) {
    case 'ArrowDown':
      move((before) => (Math.min(before, count - 1) + 1) % count);
      break;
    case 'ArrowUp':
      move((before) => (Math.min(before, count - 1) - 1 + count) % count);
      break;
    case 'Tab':
      change(`/${command.name} `);
      break;
    case 'Enter':
      if (event.shiftKey || event.altKey || event.isComposing) return false;
      run(command);
      break;
    case 'Escape':
      change('');
      break;
    default:
      return false;
  }
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** Actions on the input. */
interface Composing {
  /** Slash commands that fit what is being typed. */
  readonly commands: readonly SlashCommand[];
  /** Which of them Enter runs. */
  readonly chosen: number;
  readonly run: (command: SlashCommand) => void;
  readonly send: (how: How) => void;
  readonly pick: () => Promise<void>;
  readonly drop: (data: DataTransfer | null) => void;
  readonly paste: (event: ClipboardEvent) => void;
  readonly key: (event: KeyboardEvent) => void;
}

export function useComposing(
  panel: Panel,
  { draft, attachments, change, leaves, setAttachments }: Drafting,
): Composing {
  const commands = suggestions(draft);
  const [moved, setMoved] = useState(0);
  const chosen = Math.min(moved, Math.max(0, commands.length - 1));
  const run = (command: SlashCommand, rest = ''): void => {
    change('');
    setMoved(0);
    command.run(panel, rest);
  };
  const add = (added: readonly AttachmentView[]): void =>
    setAttachments((before) => [...before, ...added]);
  const addFiles = async (files: readonly File[]): Promise<void> => {
    const read = await readFiles(files);
    add(read.attachments);
    for (const problem of read.problems) panel.host.refuse(problem);
  };
  const send = (how: How): void => {
    const text = draft.trim();
    if (text === '' && attachments.length === 0) return;
    const slash = slashCommand(text);
    if (slash !== undefined) {
      run(slash.command, slash.rest);
      return;
    }
    const arrived = leaves(text);
    change('');
    setAttachments(() => []);
    void deliver(panel, { text, attachments, how }, () => {
      // A message that was not taken goes back to where it was written.
      panel.input.insert.value = { text };
      add(attachments);
    }).finally(arrived);
  };
  return {
    commands,
    chosen,
    run,
    send,
    pick: async () => add((await panel.host.ask('pickFiles', {}))?.attachments ?? []),
    drop: (data) => {
      const files = [...(data?.files ?? [])];
      if (files.length > 0) {
        void addFiles(files);
        return;
      }
      const text = data?.getData('text/plain') ?? '';
      if (text !== '') panel.input.insert.value = { text };
    },
    paste: (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void addFiles(files);
    },
    key: (event) => {
      const command = commands[chosen];
      if (
        command !== undefined &&
        choose(event, { command, count: commands.length, run, change, move: setMoved })
      )
        return;
      if (event.key === 'Tab' && event.shiftKey && !event.isComposing) {
        event.preventDefault();
        event.stopPropagation();
        panel.modeKey.next();
        return;
      }
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
  panel.modeKey.settle();
  sendings += 1;
  const key = sendings;
  const names = message.attachments.map((attachment) => attachment.name);
  store.sending.value = [...store.sending.peek(), { key, text: message.text, attachments: names }];
  panel.conversation.toEnd.value += 1;
  const answer = await panel.host.ask('send', {
    sessionId: store.session.id.peek(),
    text: message.text,
    attachments: [...message.attachments],
    how: message.how,
  });
  store.sending.value = store.sending.peek().filter((one) => one.key !== key);
  if (answer === undefined) giveBack();
}

/** The draft follows the session on screen, and takes what is inserted from outside. */
export function useDraft(
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
  const inserted = panel.input.insert.value;
  const focus = panel.input.focus.value;
  const latest = useRef('');
  latest.current = draft;
  useEffect(() => {
    latest.current = panel.store.shown.peek().draft;
    setDraft(latest.current);
    setAttachments(() => []);
  }, [shown]);
  useGivenBack(panel, { latest, change, setAttachments, focus: () => input.current?.focus() });
  useEffect(() => {
    if (inserted === null) return;
    panel.input.insert.value = null;
    change(draft === '' ? inserted.text : `${draft.trimEnd()}\n${inserted.text}`);
    input.current?.focus();
  }, [inserted]);
  useEffect(() => {
    if (focus > 0) input.current?.focus();
  }, [focus]);
  useEffect(() => {
    // A panel that is only shown must not take the focus from the editor.
    if (document.hasFocus()) input.current?.focus();
  }, [shown]);
}

/** A message that is to be sent again comes into the input, before what is typed there; or goes out of it. */
function useGivenBack(
  panel: Panel,
  {
    latest,
    change,
    setAttachments,
    focus,
  }: Pick<Drafting, 'change' | 'setAttachments'> & {
    readonly latest: RefObject<string>;
    readonly focus: () => void;
  },
): void {
  const given = panel.input.givenBack.value;
  const taken = panel.input.takenBack.value;
  useEffect(() => {
    if (given === null) return;
    panel.input.givenBack.value = null;
    const draft = latest.current ?? '';
    const next = withGivenBack(draft, given.text);
    if (next !== draft) change(next);
    setAttachments((before) => [...given.attachments, ...before]);
    focus();
  }, [given]);
  useEffect(() => {
    if (taken === null) return;
    panel.input.takenBack.value = null;
    if (latest.current !== taken.text) return;
    change('');
    setAttachments(() => []);
  }, [taken]);
}

import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AttachmentView, RequestParams } from '../../../src/protocol/requests.ts';
import type { Panel } from '../../panel.ts';
import { ATTACHMENTS } from '../../../src/protocol/limits.ts';
import { commandHeld } from '../../keyboard/platform.ts';
import { findSlashCommand, findUnknownCommand, runSlashCommand } from '../../slash.ts';
import type { Leaving } from '../../view-state.ts';
import { answerWith } from '../approvals/text-answer.ts';
import { readFiles } from './attachments.ts';
import { Completing, type Choice, type CompletionList } from './completing.ts';
import type { Draft } from './draft.ts';
import { replaceText } from './editing.ts';
import { useHistory } from './history.ts';
import { type Mentioning, mentioning, withChips } from './mentioning.ts';
import { type Typed, typedAt } from './typed.ts';
import { isComposing } from '../../keyboard/composition.ts';

/** How a message is sent while a run is on; `answer`: as the answer to the question that waits. */
export type How = RequestParams<'send'>['how'] | 'answer';

/** Ways to send: Enter takes the first, Alt+Enter the second. */
const WAYS: readonly How[] = ['queue', 'steer', 'stop_and_send'];

interface Drafting extends Draft {
  readonly attachments: readonly AttachmentView[];
  /** The question that the text answers. */
  readonly question: string | undefined;
  /** See `ViewState.leaves`. */
  readonly leaves: (message: Leaving) => () => void;
  /** A sentence below the list; empty: none. */
  readonly hint: (text: string) => void;
}

let sendings = 0;

/** Actions on the input. */
interface Composing {
  readonly list: CompletionList | null;
  /** The ways to send now, the one of Enter first. */
  readonly ways: readonly How[];
  readonly pickRow: (row: Choice) => void;
  readonly send: (how: How) => void;
  readonly pick: () => Promise<void>;
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly key: (event: KeyboardEvent) => void;
  /** The text or the caret is another one. */
  readonly typed: () => void;
  readonly close: () => void;
  readonly mentions: Mentioning;
}

export function useComposing(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  { attachments, change, leaves, setAttachments, question, hint }: Drafting,
): Composing {
  const kept = useRef<Completing>(undefined);
  kept.current ??= new Completing(panel);
  const completing = kept.current;
  const ways: readonly How[] = question === undefined ? WAYS : ['answer', ...WAYS];
  const enter = async (): Promise<void> =>
    completing.enter(input.current?.value, async () => sendOrPick(completing, { pickRow, send }));
  /** The text of which the person was told that it is no command. */
  const told = useRef('');
  const history = useHistory(panel, input, change);
  const early = useEarlySend(panel, input);
  const mentions = mentioning(panel, input, attachments, setAttachments);
  const add = (added: readonly AttachmentView[]): void => {
    if (attachments.length + added.length > ATTACHMENTS)
      panel.host.refuse(l10n.t('Only {0} files can be attached to a message.', ATTACHMENTS));
    setAttachments((before) => withChips(before, added));
  };
  const addFiles = async (files: readonly File[]): Promise<void> => readInto(panel, files, add);
  const typed = (): void => {
    const area = input.current;
    if (area !== null) completing.look(area.value, area.selectionStart);
  };
  const send = (by: How | number): void => {
    const how = typeof by === 'number' ? (ways[by] ?? 'queue') : by;
    const text = (input.current?.value ?? '').trim();
    if (text === '' && attachments.length === 0) return;
    if (early.waits(() => send(by), text)) return;
    const slash = findSlashCommand(panel.commands, text);
    if (slash !== undefined) {
      change('');
      return runSlashCommand(panel, slash.row, slash.words);
    }
    const unknown = findUnknownCommand(panel.commands, text);
    if (unknown !== undefined && told.current !== text) {
      told.current = text;
      hint(noCommand(unknown));
      return;
    }
    completing.close(false);
    const arrived = leaves({
      text,
      mentions: attachments.flatMap(({ mention }) => mention ?? []),
    });
    change('');
    setAttachments(() => []);
    const giveBack = (): void => {
      // A message that was not taken goes back to where it was written.
      panel.input.insert.value = { text };
      add(attachments);
    };
    void sendText(panel, { text, attachments, how, question }, giveBack).finally(arrived);
  };
  const pickRow = async (row: Choice, range = completing.list.peek()?.typed): Promise<void> => {
    const area = input.current;
    if (area === null || range === undefined) return;
    await pickedRow(row, { panel, area, range, completing, mentions, change, add, hint });
  };
  return {
    list: completing.list.value,
    ways,
    pickRow: (row) => void pickRow(row),
    send,
    pick: async () => add((await panel.host.ask('pickFiles', {}))?.attachments ?? []),
    addFiles,
    typed,
    close: () => completing.close(false),
    mentions,
    key: (event) => {
      const draft = input.current?.value ?? '';
      if (sameEnter(event, draft, completing)) return;
      if (listKey(event, completing, { pickRow, enter }) || history(event)) return;
      if (event.key === 'Backspace' && !commandHeld(event) && !isComposing(event)) {
        if (mentions.erase()) claim(event);
        return;
      }
      if (cyclesMode(event, panel)) return;
      const how = howOf(event, draft);
      if (how === undefined) return;
      claim(event);
      // The host may not have given the rows of the last letters yet.
      if (how === 0 && typedAt(draft, input.current?.selectionStart ?? 0) !== undefined)
        void enter();
      else send(how);
    },
  };
}

/**
 * Holds a message that is sent before the host has spoken, since its session is not known yet. It stays in the input, and
 * is sent then, unless the session has a draft or something else is in the input.
 */
function useEarlySend(
  { store }: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
): { waits(send: () => void, text: string): boolean } {
  const held = useRef<{ readonly send: () => void; readonly text: string }>(undefined);
  const loaded = store.loaded.value;
  useEffect(() => {
    const { send, text } = held.current ?? {};
    held.current = undefined;
    const { shown, drafted } = store.saved;
    const hasDraft = shown.peek().draft !== '' || (drafted.peek()?.draft ?? '') !== '';
    if (loaded && !hasDraft && input.current?.value.trim() === text) send?.();
  }, [loaded]);
  return {
    waits: (send, text) => {
      if (store.loaded.peek()) return false;
      held.current = { send, text };
      return true;
    },
  };
}

/** Reads files; what cannot be read is said. */
async function readInto(
  panel: Panel,
  files: readonly File[],
  add: (added: readonly AttachmentView[]) => void,
): Promise<void> {
  const read = await readFiles(files);
  add(read.attachments);
  for (const problem of read.problems) panel.host.refuse(problem);
}

const noCommand = (name: string): string =>
  l10n.t('No command is run: “/{0}” goes as text. Press Enter again to send it.', name);

/** Takes Shift+Tab: the next mode. */
function cyclesMode(event: KeyboardEvent, panel: Panel): boolean {
  if (event.key !== 'Tab' || !event.shiftKey || isComposing(event)) return false;
  claim(event);
  panel.modeKey.next();
  return true;
}

function claim(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Tells which way to send a key takes, by its place in `ways`; `undefined`: it does not send. */
function howOf(event: KeyboardEvent, draft: string): number | 'stop_and_send' | undefined {
  if (event.key !== 'Enter' || isComposing(event)) return undefined;
  if (event.shiftKey && !commandHeld(event)) return undefined;
  const approves = commandHeld(event) && !event.shiftKey && draft.trim() === '';
  if (approves) return undefined;
  if (event.altKey) return 1;
  return commandHeld(event) && event.shiftKey ? 'stop_and_send' : 0;
}

/** Takes a second Enter on what the first one is being carried out for: it is the same wish. */
function sameEnter(event: KeyboardEvent, draft: string, completing: Completing): boolean {
  if (howOf(event, draft) !== 0 || !completing.isEntered(draft)) return false;
  claim(event);
  return true;
}

type PickRow = (row: Choice, typed?: Typed) => Promise<void>;

async function sendOrPick(
  completing: Completing,
  { pickRow, send }: { readonly pickRow: PickRow; readonly send: (by: number) => void },
): Promise<void> {
  const picked = await completing.chosen();
  if (picked === undefined) send(0);
  else await pickRow(picked.row, picked.typed);
}

/** Walks through the list; says whether the key was for it. */
function listKey(
  event: KeyboardEvent,
  completing: Completing,
  on: { readonly pickRow: PickRow; readonly enter: () => Promise<void> },
): boolean {
  const list = completing.list.peek();
  if (list === null || isComposing(event)) return false;
  switch (event.key) {
    case 'ArrowDown':
      completing.move(1);
      break;
    case 'ArrowUp':
      completing.move(-1);
      break;
    case 'Escape':
      completing.close(true);
      break;
    case 'Tab':
    case 'Enter': {
      if (event.shiftKey || event.altKey || commandHeld(event)) return false;
      const row = list.rows[list.chosen];
      if (event.key === 'Tab' && row?.does.kind === 'run') {
        const { name } = row.does.command;
        void on.pickRow({ ...row, does: { kind: 'insert', text: `/${name} ` } });
      } else void on.enter();
      break;
    }
    default:
      return false;
  }
  claim(event);
  return true;
}

interface Picking {
  readonly panel: Panel;
  readonly area: HTMLTextAreaElement;
  readonly range: { readonly from: number; readonly to: number };
  readonly completing: Completing;
  readonly mentions: Mentioning;
  readonly change: (text: string) => void;
  readonly add: (added: readonly AttachmentView[]) => void;
  readonly hint: (text: string) => void;
}

async function pickedRow({ does, label, detail }: Choice, on: Picking): Promise<void> {
  const { panel, area, range, completing, mentions, change, add, hint } = on;
  switch (does.kind) {
    case 'mention':
      completing.close(false);
      mentions.mention([does.mention], range);
      return;
    case 'insert':
      replaceText(area, range, does.text);
      completing.look(area.value, area.selectionStart);
      return;
    case 'run':
      completing.close(false);
      change(area.value.slice(range.to).trimStart());
      runSlashCommand(panel, does.command, '');
      return;
    case 'hint':
      hint(`${label}: ${detail}`);
      return;
    case 'fill': {
      const before = area.value;
      completing.close(true);
      const filled = await panel.host.ask('fillCommand', { ref: does.ref });
      // Meanwhile something else may have been typed: that is not thrown away.
      if (filled === undefined || area.value !== before) return;
      replaceText(area, { from: 0, to: area.value.length }, filled.text);
      completing.close(true);
      add(filled.attachments);
      hint(filled.note);
      return;
    }
    default:
      does satisfies never;
  }
}

/** Sends a text as an answer or as a message. */
async function sendText(
  panel: Panel,
  {
    how,
    question = '',
    ...message
  }: Pick<Drafting, 'attachments' | 'question'> & { readonly text: string; readonly how: How },
  giveBack: () => void,
): Promise<void> {
  if (how !== 'answer') await deliver(panel, { ...message, how }, giveBack);
  else if (!(await answerWith(panel, question, message.text))) giveBack();
}

/** Sends a message; it is shown at once, and given back when the host does not take it. */
export async function deliver(
  panel: Panel,
  message: {
    readonly text: string;
    readonly attachments: readonly AttachmentView[];
    readonly how: RequestParams<'send'>['how'];
  },
  giveBack: () => void,
): Promise<void> {
  const { store } = panel;
  panel.modeKey.settle();
  sendings += 1;
  const key = sendings;
  const names = message.attachments.map(({ name, mention }) => mention?.label ?? name);
  store.sending.value = [...store.sending.peek(), { key, text: message.text, attachments: names }];
  panel.conversation.toEnd.value += 1;
  if (store.review.peek().unfolded) panel.review.unfold(false);
  const answer = await panel.host.ask('send', {
    sessionId: store.session.id.peek(),
    text: message.text,
    attachments: [...message.attachments],
    how: message.how,
  });
  store.sending.value = store.sending.peek().filter((one) => one.key !== key);
  if (answer === undefined) giveBack();
}

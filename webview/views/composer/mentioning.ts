import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { isSameMention, type Mention } from '../../../src/domain/mention.ts';
import { ATTACHMENTS } from '../../../src/protocol/limits.ts';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import type { Panel } from '../../panel.ts';
import { replaceText } from './editing.ts';

type Change = (before: readonly AttachmentView[]) => readonly AttachmentView[];

let mentioned = 0;

/** A mention as the input holds it: what it points at is taken when the message is sent. */
export function mentionChip(mention: Mention): AttachmentView {
  mentioned += 1;
  const id = `mention-${mentioned}-${Date.now()}`;
  return { id, name: mention.source, mediaType: 'text/plain', size: 0, mention };
}

/** Chips with others behind them; nothing is mentioned twice. */
export function withChips(
  before: readonly AttachmentView[],
  added: readonly AttachmentView[],
): readonly AttachmentView[] {
  const all = [...before];
  for (const chip of added) {
    const known =
      chip.mention !== undefined && all.some(({ mention }) => isSameMention(mention, chip.mention));
    if (!known) all.push(chip);
  }
  return all.slice(0, ATTACHMENTS);
}

export interface Mentioning {
  /** Adds mentions to the message as chips, and removes what was typed for them. */
  readonly mention: (
    mentions: readonly Mention[],
    range?: { readonly from: number; readonly to: number },
  ) => void;
  /** Removes a chip. */
  readonly remove: (chip: AttachmentView) => void;
  /** Removes the last chip on Backspace at the start of the input. Returns true when there was one. */
  readonly erase: () => boolean;
}

export function mentioning(
  panel: Panel,
  input: RefObject<HTMLTextAreaElement | null>,
  chips: readonly AttachmentView[],
  setChips: (change: Change) => void,
): Mentioning {
  const weigh = async (mentions: readonly Mention[]): Promise<void> => {
    const answer = await panel.host.attempt('weighMentions', {
      mentions: mentions.slice(0, ATTACHMENTS),
    });
    if (!('value' in answer)) return;
    const { tokens } = answer.value;
    setChips((before) =>
      before.map((chip) => {
        const at = mentions.findIndex((one) => isSameMention(one, chip.mention));
        return at < 0 || chip.mention === undefined
          ? chip
          : { ...chip, mention: { ...chip.mention, tokens: tokens[at] ?? null } };
      }),
    );
  };
  const drop = (chip: AttachmentView): void =>
    setChips((before) => before.filter(({ id }) => id !== chip.id));
  return {
    mention: (mentions, range) => {
      const area = input.current;
      const [first] = mentions;
      if (area === null || first === undefined) return;
      if (chips.length + mentions.length > ATTACHMENTS)
        panel.host.refuse(l10n.t('Only {0} things can go along with a message.', ATTACHMENTS));
      setChips((before) => withChips(before, mentions.map(mentionChip)));
      if (range === undefined) area.focus();
      else {
        // The blank after what was typed goes with it where another one is before it.
        const isDouble = /(?:^|\s)$/u.test(area.value.slice(0, range.from));
        const to = range.to + (isDouble && area.value[range.to] === ' ' ? 1 : 0);
        replaceText(area, { from: range.from, to }, '');
      }
      void weigh(mentions);
    },
    remove: (chip) => {
      drop(chip);
      input.current?.focus();
    },
    erase: () => {
      const area = input.current;
      const last = chips.at(-1);
      if (area === null || last === undefined) return false;
      if (area.selectionStart !== 0 || area.selectionEnd !== 0) return false;
      drop(last);
      return true;
    },
  };
}

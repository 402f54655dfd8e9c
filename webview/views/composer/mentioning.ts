import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { isSameMention, type Mention } from '../../../src/domain/mention.ts';
import { ATTACHMENTS } from '../../../src/protocol/limits.ts';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import type { Panel } from '../../panel.ts';
import { replaceText } from './editing.ts';
import { placeOfLabel, withoutLabel } from './typed.ts';

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
  /** Puts mentions into the message: chips, and `@label` in the place of what was typed. */
  readonly mention: (
    mentions: readonly Mention[],
    range?: { readonly from: number; readonly to: number },
  ) => void;
  /** Takes a chip away, and its `@label`. */
  readonly remove: (chip: AttachmentView) => void;
  /** Backspace behind `@label`, or at the start of the input; says whether the key was for a chip. */
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
      const at = { from: area.selectionStart, to: area.selectionEnd };
      const { from, to } = range ?? at;
      const labels = mentions.map(({ label }) => `@${label}`).join(' ');
      const before = area.value.slice(0, from);
      const gap = before === '' || /\s$/u.test(before) || range !== undefined ? '' : ' ';
      const after = area.value.slice(to).startsWith(' ') ? '' : ' ';
      replaceText(area, { from, to }, `${gap}${labels}${after}`);
      void weigh(mentions);
    },
    remove: (chip) => {
      drop(chip);
      const area = input.current;
      if (area === null || chip.mention === undefined) return;
      const { value } = area;
      if (placeOfLabel(value, chip.mention.label) === undefined) area.focus();
      else
        replaceText(area, { from: 0, to: value.length }, withoutLabel(value, chip.mention.label));
    },
    erase: () => {
      const area = input.current;
      if (area === null || area.selectionStart !== area.selectionEnd) return false;
      const caret = area.selectionStart;
      const before = area.value.slice(0, caret);
      const last = chips.at(-1);
      if (caret === 0) {
        if (last === undefined) return false;
        drop(last);
        return true;
      }
      const chip = chips.find(
        ({ mention }) =>
          mention !== undefined &&
          /(?:^|[\s([{"'`,;])$/u.test(headOf(before, mention.label) ?? 'x'),
      );
      if (chip?.mention === undefined) return false;
      drop(chip);
      replaceText(
        area,
        { from: headOf(before, chip.mention.label)?.length ?? caret, to: caret },
        '',
      );
      return true;
    },
  };
}

/** The text before a label at its end, with or without a blank behind it. */
function headOf(text: string, label: string): string | undefined {
  for (const written of [`@${label} `, `@${label}`])
    if (text.endsWith(written)) return text.slice(0, -written.length);
  return undefined;
}

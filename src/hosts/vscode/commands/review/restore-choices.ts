import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RestoreWhat } from '../../../../core/restore/restore-values.ts';
import { isJsonObject } from '../../../../domain/data/json.ts';

export const EDIT = l10n.t('Edit & Send Again');
export const SEND_AGAIN = l10n.t('Send Again');
export const OTHER_MODEL = l10n.t('Send Again with Another Model');

export const NAMES = {
  files: l10n.t('Restore Files'),
  conversation: l10n.t('Restore Conversation'),
  both: l10n.t('Restore Files and Conversation'),
} as const satisfies Readonly<Record<RestoreWhat, string>>;

export const PLACEHOLDERS = {
  files: l10n.t('Files become as they were before this message; your own edits stay'),
  conversation: l10n.t('This message and what follows it are taken out; files stay as they are'),
  both: l10n.t('Files and conversation become as they were before this message'),
} as const satisfies Readonly<Record<RestoreWhat, string>>;

/** Choices of *Restore…*; a menu names one, the palette asks for it. */
export const RESTORE_CHOICES = ['files', 'conversation', 'both', 'snapshot'] as const;

/** Choices of *Send Again…*. */
export const SEND_CHOICES = ['edit', 'same_model', 'other_model'] as const;
export type SendChoice = (typeof SEND_CHOICES)[number];

/** Reads the choice that a menu gives; `undefined` from the palette. */
export function readChoice<Choice extends string>(
  given: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  const { choice } = isJsonObject(given) ? given : {};
  return choices.find((one) => one === choice);
}

export async function askWhat(): Promise<(typeof RESTORE_CHOICES)[number] | undefined> {
  const labels = { ...NAMES, snapshot: l10n.t('Restore Snapshot') };
  const items = RESTORE_CHOICES.map((choice) => ({
    label: labels[choice],
    detail: choice === 'snapshot' ? '' : PLACEHOLDERS[choice],
    choice,
  }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Belay: Restore') }))?.choice;
}

export async function askHow(): Promise<SendChoice | undefined> {
  const labels = { edit: EDIT, same_model: SEND_AGAIN, other_model: OTHER_MODEL };
  const items = SEND_CHOICES.map((choice) => ({ label: labels[choice], choice }));
  return (await vscode.window.showQuickPick(items, { title: `Belay: ${SEND_AGAIN}` }))?.choice;
}

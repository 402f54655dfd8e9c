import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Decision } from '../../../core/review/service/decisions.ts';
import { leftText } from '../../../domain/review/left-words.ts';
import { count } from '../../../domain/text/language.ts';

/** Files that are named in the question; the others are counted. */
const NAMED = 20;

const WHAT_HAPPENS: Readonly<Record<Decision, string>> = {
  accept: l10n.t('All changes are kept. The agent is told.'),
  reject: l10n.t('The files are reverted. The agent is told.'),
};

/** Asks if the person really wants to decide about all of this at once, everywhere in the same words. */
export async function isSure(
  decision: Decision,
  meant: {
    readonly hunks: number;
    readonly files: readonly string[];
    /** Changes by commands, which stay pending. */
    readonly left: number;
  },
): Promise<boolean> {
  const { hunks, files, left } = meant;
  const names = files.slice(0, NAMED).map((file) => path.basename(file));
  const more =
    files.length > names.length ? ` ${l10n.t('and {0} more', files.length - names.length)}` : '';
  const lines = [
    `${names.join(', ')}${more}`,
    WHAT_HAPPENS[decision],
    ...(left === 0 ? [] : [leftText(left)]),
  ];
  const [changes, places] = [count(hunks, 'change'), count(files.length, 'file')];
  const button = decision === 'accept' ? l10n.t('Keep All') : l10n.t('Undo All');
  const chosen = await vscode.window.showWarningMessage(
    decision === 'accept'
      ? l10n.t('Keep {0} in {1}?', changes, places)
      : l10n.t('Undo {0} in {1}?', changes, places),
    { modal: true, detail: lines.join('\n\n') },
    button,
  );
  return chosen === button;
}

import path from 'node:path';
import * as vscode from 'vscode';
import type { Decision } from '../../../core/review/storage/decision-journal.ts';
import { count } from '../../../window/pending/change-words.ts';

/** Files that are named in the question; the others are counted. */
const NAMED = 20;

const VERBS: Readonly<Record<Decision, string>> = { accept: 'Accept', reject: 'Reject' };

const WHAT_HAPPENS: Readonly<Record<Decision, string>> = {
  accept: 'What is written stays, and what is proposed is written now. The model is told.',
  reject: 'What is written is taken back, and what is proposed is forgotten. The model is told.',
};

/** Asks if the person really wants to decide about all of this at once, everywhere in the same words. */
export async function isSure(
  decision: Decision,
  meant: { readonly hunks: number; readonly files: readonly string[] },
): Promise<boolean> {
  const { hunks, files } = meant;
  const names = files.slice(0, NAMED).map((file) => path.basename(file));
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  const button = `${VERBS[decision]} All`;
  const chosen = await vscode.window.showWarningMessage(
    `${VERBS[decision]} ${count(hunks, 'change')} in ${count(files.length, 'file')}?`,
    { modal: true, detail: `${names.join(', ')}${more}\n\n${WHAT_HAPPENS[decision]}` },
    button,
  );
  return chosen === button;
}

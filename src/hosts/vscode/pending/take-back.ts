import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { LoggedDecision } from '../../../core/review/storage/decision-log.ts';
import { decidedText, takeBackWord, takenBackText } from '../../../domain/review/decided-words.ts';

type Taken = Pick<Reviews, 'redo' | 'records'>;

/** Tells what was decided, with a button that takes it back for as long as the notification is there. */
export async function offerTakeBack(
  reviews: Taken,
  text: string,
  decision: 'keep' | 'undo',
  id: string | undefined,
): Promise<void> {
  if (id === undefined) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const word = takeBackWord(decision);
  const chosen = await vscode.window.showInformationMessage(text, word);
  if (chosen === word) await takeBack(reviews, id);
}

/** Lists the last decisions, the newest first, and takes the chosen one back. */
export async function chooseTakeBack(reviews: Taken): Promise<void> {
  const { all } = reviews.records.decided;
  if (all.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('Nothing was undone or kept that could be taken back.'),
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(all.toReversed().map(itemFor), {
    title: l10n.t('Redo Undone Changes'),
    placeHolder: l10n.t('Choose what to take back'),
  });
  if (chosen !== undefined) await takeBack(reviews, chosen.id);
}

function itemFor({ id, decision, files, hunks, at }: LoggedDecision) {
  const names = files.map(({ row }) => path.basename(row.path));
  return {
    id,
    label: `${takeBackWord(decision)}: ${decidedText(decision, { done: hunks, left: 0 })}`,
    description: new Date(at).toLocaleTimeString(vscode.env.language),
    detail: names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : ''),
  };
}

async function takeBack({ redo }: Taken, id: string): Promise<void> {
  const { done, failed } = await redo.takeBack(id);
  const reasons = failed.map(({ reason }) => reason);
  const text = takenBackText(done, reasons);
  if (reasons.length === 0) void vscode.window.showInformationMessage(text);
  else void vscode.window.showWarningMessage(text);
}

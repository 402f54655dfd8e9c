import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRestorable } from '../../../../core/restore/agent-changes.ts';
import type { ChangeRecord } from '../../../../core/restore/storage/change-record.ts';
import type { CommandServices } from '../services.ts';
import { givenMessage, refuseBusy } from './given-message.ts';
import { confirmedFiles, files, notRestoredLine, refuseUnsaved } from './restore-files.ts';

/** Undoes the edits of a turn; where later changes are in the way, a preview asks first. */
export async function undoTurn(services: CommandServices, given: unknown): Promise<void> {
  const place = givenMessage(given);
  if (place === undefined) return;
  const { sessionId, messageId } = place;
  refuseBusy(services, sessionId);
  const { turnUndo } = services.engine;
  const previews = await turnUndo.preview(sessionId, messageId);
  if (previews.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Nothing of this turn is left to undo.'));
    return;
  }
  const chosen = previews.every(isRestorable)
    ? previews
    : await confirmedFiles(previews, {
        title: l10n.t('Undo This Turn'),
        question: l10n.t('Undo the edits of this turn? Some lines were changed since.'),
        lines: [],
        notCovered: [],
        yes: l10n.t('Undo'),
      });
  if (chosen === undefined || chosen.length === 0) return;
  refuseUnsaved(chosen);
  const { left, record } = await turnUndo.undo(sessionId, chosen);
  const kept = previews.length - chosen.length;
  const text = [
    l10n.t('The edits of this turn are undone in {0}.', files(chosen.length - left.length)),
    ...(kept === 0 ? [] : [l10n.t('{0} left because you edited the same lines.', files(kept))]),
    ...notRestoredLine(left),
  ].join(' ');
  void offerTurnRedo(services, sessionId, record, text);
}

async function offerTurnRedo(
  { engine }: CommandServices,
  sessionId: string,
  record: ChangeRecord,
  text: string,
): Promise<void> {
  const chosen = await vscode.window.showInformationMessage(text, l10n.t('Redo'));
  if (chosen !== l10n.t('Redo')) return;
  const { left } = await engine.turnUndo.redo(sessionId, record);
  if (left.length > 0) void vscode.window.showWarningMessage(notRestoredLine(left).join(' '));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Shows a sentence that the person must not miss, with a way to the details. */
export async function tellPerson(
  level: 'warning' | 'error',
  message: string,
  showLog: () => void,
): Promise<void> {
  const chosen =
    level === 'error'
      ? await vscode.window.showErrorMessage(message, l10n.t('Show Log'))
      : await vscode.window.showWarningMessage(message, l10n.t('Show Log'));
  if (chosen !== undefined) showLog();
}

import * as vscode from 'vscode';

/** Shows a sentence that the person must not miss, with a way to the details. */
export async function tellPerson(
  level: 'warning' | 'error',
  message: string,
  showLog: () => void,
): Promise<void> {
  const chosen =
    level === 'error'
      ? await vscode.window.showErrorMessage(message, 'Show Log')
      : await vscode.window.showWarningMessage(message, 'Show Log');
  if (chosen !== undefined) showLog();
}

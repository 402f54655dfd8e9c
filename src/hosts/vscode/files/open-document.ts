import * as vscode from 'vscode';

/** The document of an address that VS Code has in memory; `undefined`: none, or it was let go of. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find((one) => !one.isClosed && one.uri.toString() === name);
}

import * as vscode from 'vscode';

/** Folder of the editor itself, absolute: it brings along ripgrep. */
export function applicationRoot(): string {
  return vscode.env.appRoot;
}

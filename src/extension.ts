import * as vscode from 'vscode';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Belay', { log: true });
  context.subscriptions.push(log);
  log.info('Belay is active.');
}

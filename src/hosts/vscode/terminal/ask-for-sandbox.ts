import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Shows the offer of the sandbox as a notification, and returns whether the user accepts it. */
export async function askForSandbox(offer: string): Promise<boolean> {
  const turnOn = l10n.t('Turn On Sandbox');
  return (await vscode.window.showInformationMessage(offer, turnOn, l10n.t('Not Now'))) === turnOn;
}

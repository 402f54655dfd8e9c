import * as vscode from 'vscode';

/** Switches memory in the person's own settings. */
export async function switchMemory(on: boolean): Promise<void> {
  await vscode.workspace
    .getConfiguration('belay')
    .update('memory.enabled', on ? undefined : false, vscode.ConfigurationTarget.Global);
}

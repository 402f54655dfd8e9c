import type { ExtensionContext } from 'vscode';
import { composeWindow } from './compose-window.ts';

let opened: { dispose(): Promise<void> } | undefined;

/** Called by VS Code when the panel is shown or a command of Belay is used. */
export async function activate(context: ExtensionContext): Promise<void> {
  opened = await composeWindow(context);
}

/** Resolves when the last record is on disk; VS Code waits for it, within limits. */
export async function deactivate(): Promise<void> {
  await opened?.dispose();
  opened = undefined;
}

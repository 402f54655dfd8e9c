import * as vscode from 'vscode';

/**
 * The text that is selected in the terminal in front; `undefined`: none is. The stable API tells it to nobody: it goes
 * through the clipboard, which has its text again afterwards.
 */
export async function selectedOutput(): Promise<
  { readonly terminal: string; readonly text: string } | undefined
> {
  const { activeTerminal } = vscode.window;
  if (activeTerminal === undefined) return undefined;
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const nothing = `belay-${crypto.randomUUID()}`;
  await clipboard.writeText(nothing);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text === nothing || text.trim() === ''
      ? undefined
      : { terminal: activeTerminal.name, text };
  } finally {
    await clipboard.writeText(before);
  }
}

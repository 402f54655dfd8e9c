import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { terminalText } from '../../../panel/code/terminal-text.ts';

/** The name of the terminal that code blocks are put into. */
const NAME = l10n.t('Belay: code');
/** Milliseconds that a new shell has to say that it is ready. */
const READY = 5000;

/**
 * Puts a text at the prompt of a terminal of its own; nothing runs before the person presses Enter. Several lines go the
 * way that VS Code pastes: to a shell that takes a paste as a whole, or with VS Code's own question.
 */
export async function putIntoTerminal(text: string): Promise<void> {
  const command = terminalText(text);
  const known = vscode.window.terminals.find(
    ({ name, exitStatus }) => name === NAME && exitStatus === undefined,
  );
  const terminal = known ?? vscode.window.createTerminal({ name: NAME });
  terminal.show();
  if (known === undefined) await ready(terminal);
  if (!command.includes('\n')) {
    terminal.sendText(command, false);
    return;
  }
  if (vscode.window.activeTerminal !== terminal)
    throw fault(
      'busy',
      told`Another terminal came in front. Nothing was put into it; try it again.`,
    );
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText(command);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.paste');
  } finally {
    await clipboard.writeText(before);
  }
}

/** Resolves when the shell of a new terminal waits for a command, or has had its time. */
async function ready(terminal: vscode.Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), READY);
  const listening = vscode.window.onDidChangeTerminalShellIntegration((changed) => {
    if (changed.terminal === terminal) resolve(undefined);
  });
  await promise;
  clearTimeout(timer);
  listening.dispose();
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import type { AskForInput } from '../../../mcp/config/input-book.ts';

/** Asks for a value of `${input:ID}`; hidden while it is typed where it is a secret. */
export const askForInput: AskForInput = async (input, server, signal) => {
  const { description, id, options, password } = input;
  const title = l10n.t('Belay: Value for the MCP Server “{0}”', makeVisible(server).slice(0, 60));
  const prompt = makeVisible(description ?? id).slice(0, 300);
  const gone = new vscode.CancellationTokenSource();
  const withdraw = (): void => gone.cancel();
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    return options === undefined
      ? await vscode.window.showInputBox(
          {
            title,
            prompt: l10n.t("{0}. Kept in VS Code's secret storage.", prompt),
            password,
            ignoreFocusOut: true,
            ...(input.default === undefined ? {} : { value: input.default }),
          },
          gone.token,
        )
      : await vscode.window.showQuickPick(
          [...options],
          { title, placeHolder: prompt, ignoreFocusOut: true },
          gone.token,
        );
  } finally {
    signal.removeEventListener('abort', withdraw);
    gone.dispose();
  }
};

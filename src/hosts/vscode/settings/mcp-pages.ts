import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import type { McpPerson } from '../../../mcp/requests/person.ts';

const openPage = async (url: string): Promise<boolean> =>
  vscode.env.openExternal(vscode.Uri.parse(url, true));

/** Pages that MCP servers want opened in the person's browser, and the question before a sign-in. */
export const mcpPages: {
  readonly openPage: (url: string) => Promise<boolean>;
  readonly signIn: McpPerson['signIn'];
} = {
  openPage,
  signIn: async (server, url, signal) => {
    const name = makeVisible(server).slice(0, 60);
    const answer = await vscode.window.showInformationMessage(
      l10n.t('The MCP server “{0}” wants you to sign in at {1}.', name, url.host),
      l10n.t('Sign In'),
      l10n.t('Not Now'),
    );
    return answer === l10n.t('Sign In') && !signal.aborted && openPage(url.href);
  },
};

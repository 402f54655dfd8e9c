import * as vscode from 'vscode';
import type { ServersSectionParts } from '../../../panel/center/servers-section.ts';

/** The person's ways to definitions of MCP servers, in editors of VS Code. */
export const serverPerson: ServersSectionParts['person'] = {
  add: async () => {
    await vscode.commands.executeCommand('belay.addMcpServer');
  },
  edit: async ({ file, origin }) => {
    if (file === undefined) await editSettings(origin);
    else await vscode.window.showTextDocument(vscode.Uri.file(file));
  },
};

/** The settings file that defines a server, at the setting. */
async function editSettings(origin: 'user' | 'workspace'): Promise<void> {
  await vscode.commands.executeCommand(
    origin === 'user'
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceSettingsFile',
    { revealSetting: { key: 'belay.mcp.servers', edit: true } },
  );
}

import * as vscode from 'vscode';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Commands about MCP servers. */
export function mcpCommands({
  center,
}: Pick<CommandServices, 'center'>): Pick<CommandHandlers, 'belay.restartMcpServers'> {
  return {
    'belay.restartMcpServers': async () => {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: 'Restarting MCP servers' },
        async () => center.restartServers(),
      );
    },
  };
}

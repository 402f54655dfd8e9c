import * as vscode from 'vscode';
import { openSettings } from '../settings/settings.ts';
import { AddServers } from '../mcp/add-servers.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices, McpServerRow } from './services.ts';

/** Commands about MCP servers. */
export function mcpCommands(
  services: CommandServices,
): Pick<
  CommandHandlers,
  'belay.addMcpServer' | 'belay.showMcpServers' | 'belay.restartMcpServers'
> {
  const { mcp } = services;
  const adding = new AddServers(services);
  return {
    'belay.addMcpServer': async (link) => adding.ask(link),
    'belay.showMcpServers': async () => {
      const servers = mcp.servers();
      if (servers.length === 0) {
        const chosen = await vscode.window.showInformationMessage(
          'No MCP server is configured. They are defined in the setting belay.mcp.servers.',
          'Open Settings',
        );
        if (chosen !== undefined) await openSettings('mcp.servers');
        return;
      }
      const chosen = await vscode.window.showQuickPick(
        servers.map((server) => ({
          label: `${icon(server)} ${server.name}`,
          description: server.detail,
          server,
        })),
        { title: 'Belay: MCP Servers', placeHolder: 'Choose one to restart it or see its log' },
      );
      if (chosen !== undefined) await offer(chosen.server);
    },
    'belay.restartMcpServers': async () => {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: 'Restarting MCP servers' },
        async () => {
          await Promise.allSettled(mcp.servers().map((server) => mcp.restart(server.name)));
        },
      );
    },
  };

  async function offer(server: McpServerRow): Promise<void> {
    const { name, signing } = server;
    const ways = [signing === 'in' ? 'Sign In' : 'Restart', 'Show Log', 'Open Settings'];
    if (signing === 'out') ways.push('Sign Out');
    const chosen = await vscode.window.showQuickPick(ways, { title: `MCP Server: ${name}` });
    if (chosen === 'Sign Out') await mcp.signOut(name);
    else if (chosen === 'Restart' || chosen === 'Sign In') await mcp.restart(server.name);
    else if (chosen === 'Open Settings') await openSettings('mcp.servers');
    else if (chosen === 'Show Log') {
      const document = await vscode.workspace.openTextDocument({
        content: mcp.log(server.name).join('\n'),
        language: 'log',
      });
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }
}

function icon(server: McpServerRow): string {
  if (server.state === 'ready') return '$(pass)';
  if (server.state === 'failed') return '$(error)';
  return server.state === 'starting' ? '$(sync)' : '$(circle-slash)';
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AddServers } from '../../mcp/add-servers.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** Commands about MCP servers. */
export function mcpCommands(services: Pick<CommandServices, 'center' | 'host'>) {
  const adding = new AddServers(services);
  return {
    'belay.addMcpServer': async (link) => adding.ask(link),
    'belay.restartMcpServers': async () => {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: l10n.t('Restarting MCP servers') },
        async () => services.center.restartServers(),
      );
    },
  } satisfies Partial<CommandHandlers>;
}

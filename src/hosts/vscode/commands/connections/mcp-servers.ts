import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AddServers } from '../../mcp/add-servers.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices, ServerSwitchList } from '../services.ts';

/** Commands about MCP servers. */
export function mcpCommands(
  services: Pick<CommandServices, 'center' | 'host'>,
): Pick<
  CommandHandlers,
  'belay.addMcpServer' | 'belay.restartMcpServers' | 'belay.switchMcpServers'
> {
  const adding = new AddServers(services);
  return {
    'belay.addMcpServer': async (link) => adding.ask(link),
    'belay.switchMcpServers': async () => switchServers(services.center.switches),
    'belay.restartMcpServers': async () => {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: l10n.t('Restarting MCP servers') },
        async () => services.center.restartServers(),
      );
    },
  };
}

/** Asks which servers are on; each change is kept until it is taken back. */
async function switchServers(switches: ServerSwitchList): Promise<void> {
  const items = switches.list().map(({ name, place, on }) => ({
    label: name,
    description: place,
    picked: on,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Belay: MCP Servers That Are On'),
    placeHolder: l10n.t('One that is off stays off, also in new windows, until you switch it on'),
  });
  if (chosen === undefined) return;
  for (const item of items) {
    const on = chosen.includes(item);
    if (on !== item.picked) await switches.set(item.label, on);
  }
}

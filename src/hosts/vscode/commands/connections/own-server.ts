import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** The command that lets other agents connect to this window. */
export function ownServerCommands({ center }: CommandServices) {
  return {
    'belay.copyContextServer': async () => {
      const chosen = await vscode.window.showQuickPick(
        [
          {
            label: l10n.t('For a program that starts its servers (stdio)'),
            description: l10n.t('finds the window by itself, holds no secret'),
            way: 'stdio' as const,
          },
          {
            label: l10n.t('For a program that connects by HTTP'),
            description: l10n.t('this window’s address, with the secret'),
            way: 'http' as const,
          },
        ],
        { title: l10n.t('Belay: Copy MCP Server Configuration') },
      );
      if (chosen === undefined) return;
      const configuration = await center.own.configuration(chosen.way);
      if (configuration === undefined) {
        await vscode.window.showWarningMessage(
          l10n.t(
            'This window serves nothing: its folder is not trusted, or the port of belay.contextServer.port is taken. The log says more.',
          ),
        );
        return;
      }
      await vscode.env.clipboard.writeText(configuration);
      await vscode.window.showInformationMessage(
        l10n.t('Copied: paste it among the MCP servers of the other agent.'),
      );
    },
  } satisfies Partial<CommandHandlers>;
}

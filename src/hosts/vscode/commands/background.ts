import * as vscode from 'vscode';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Commands about what runs in the background, of all sessions. */
export function backgroundCommands({
  engine,
  sessions,
}: CommandServices): Pick<CommandHandlers, 'belay.stopBackgroundCommands'> {
  return {
    'belay.stopBackgroundCommands': async () => {
      const running = (engine.commands.background?.list() ?? []).filter(
        (command) => command.running,
      );
      if (running.length === 0) {
        void vscode.window.showInformationMessage('Nothing runs in the background.');
        return;
      }
      const items = running.map((command) => ({
        label: command.origin.command.replaceAll(/\s+/gu, ' ').slice(0, 120),
        description: command.origin.cwd,
        detail: `${sessions.find(command.origin.sessionId)?.title ?? 'Untitled'} · since ${new Date(command.startedAt).toLocaleTimeString()}`,
        picked: true,
        command,
      }));
      const chosen = await vscode.window.showQuickPick(items, {
        title: 'Belay: Stop Background Commands',
        placeHolder: 'Those that are picked are stopped',
        canPickMany: true,
      });
      await Promise.all((chosen ?? []).map(async ({ command }) => command.stop('person')));
    },
  };
}

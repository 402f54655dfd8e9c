import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';
import { shownSession } from './sessions.ts';
import { spoken } from '../../../domain/text/language.ts';

/** Commands about what runs in the background, of all sessions. */
export function backgroundCommands(services: CommandServices) {
  const { engine, sessions, panel } = services;
  return {
    'belay.continueInBackground': async () => panel.away.handOver(shownSession(services)),
    'belay.takeBack': async () => panel.away.takeBack(shownSession(services)),
    'belay.stopBackgroundCommands': async () => {
      const running = (engine.commands.background?.list() ?? []).filter(
        (command) => command.running,
      );
      if (running.length === 0) {
        void vscode.window.showInformationMessage(l10n.t('Nothing runs in the background.'));
        return;
      }
      const items = running.map((command) => ({
        label: command.origin.command.replaceAll(/\s+/gu, ' ').slice(0, 120),
        description: command.origin.cwd,
        detail: l10n.t(
          '{0} · since {1}',
          sessions.find(command.origin.sessionId)?.title ?? l10n.t('Untitled'),
          new Date(command.startedAt).toLocaleTimeString(spoken()),
        ),
        picked: true,
        command,
      }));
      const chosen = await vscode.window.showQuickPick(items, {
        title: l10n.t('Belay: Stop Background Commands'),
        placeHolder: l10n.t('Those that are picked are stopped'),
        canPickMany: true,
      });
      await Promise.all((chosen ?? []).map(async ({ command }) => command.stop('person')));
    },
  } satisfies Partial<CommandHandlers>;
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { timelineText } from '../../../core/session/timeline.ts';
import { fault } from '../../../domain/failure.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Events a timeline shows: the newest. */
const SHOWN = 5000;

/** Shows the events of the session on screen as a document. */
export function timelineCommands(
  services: CommandServices,
): Pick<CommandHandlers, 'belay.showTimeline'> {
  const { view, sessions } = services;
  const { transcripts } = services.engine.store;
  return {
    'belay.showTimeline': async () => {
      const id = view.sessionId;
      if (id === undefined) {
        const message = l10n.t(
          'There is no session on screen yet. Open one, or send a message first.',
        );
        throw fault('not_found', message);
      }
      const title = sessions.find(id)?.title ?? l10n.t('Session');
      const content = timelineText(title, await transcripts.events(id, undefined, SHOWN));
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
      await vscode.window.showTextDocument(document, { preview: true });
    },
  };
}

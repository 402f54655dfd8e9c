import * as vscode from 'vscode';
import type { RestorePreview } from '../../../core/restore/agent-changes.ts';
import type { ForkPoint } from '../../../core/restore/session-fork.ts';
import { titleOf } from '../../../core/restore/title-of.ts';
import type { CommandHandlers } from './register.ts';
import { confirmedFiles, files, refuseUnsaved } from './restore-files.ts';
import { count, givenMessage, refuseBusy, unkeptOf } from './restore.ts';
import type { CommandServices } from './services.ts';
import { shownSession } from './sessions.ts';

const WITH_FILES = 'With Files as They Were Then';
const WITHOUT_FILES = 'Conversation Only';

/** A new session with the conversation up to a message; the original stays. */
export function forkCommands(
  services: CommandServices,
): Pick<CommandHandlers, 'belay.forkSession'> {
  const { sessions, panel, view } = services;
  const { fork, restore } = services.engine;
  return {
    'belay.forkSession': async (given) => {
      const place = givenMessage(given);
      const sessionId = place?.sessionId ?? shownSession(services);
      refuseBusy(services, sessionId);
      const messageId = place?.messageId ?? (await chooseMessage(services, sessionId));
      if (messageId === undefined) return;
      const point = await fork.point(sessionId, messageId);
      const chosen = await chosenFiles(point, await restore.preview(point.records));
      if (chosen === undefined) return;
      refuseUnsaved(chosen);
      const { sessionId: forkId, asked } = await fork.fork(point);
      await sessions.refresh(forkId);
      await view.reveal(asked === undefined ? 'focus_input' : undefined);
      if (asked === undefined) await panel.show(forkId);
      else await panel.giveBack(forkId, asked);
      // The fork is there also when the files cannot be put back; why is told.
      if (chosen.length > 0) await restore.restoreFilesIn(forkId, titleOf(point.message), chosen);
      void vscode.window.showInformationMessage(
        chosen.length === 0
          ? 'The fork is open. The original session is as it was.'
          : `The fork is open, ${files(chosen.length)} restored. The original session is as it was.`,
      );
    },
  };
}

/** Asks; gives the files that are put back, none for the conversation alone. */
async function chosenFiles(
  point: ForkPoint,
  previews: readonly RestorePreview[],
): Promise<readonly RestorePreview[] | undefined> {
  const question = `Fork the session at “${titleOf(point.message)}”?`;
  const along =
    point.messages === 0
      ? 'The fork begins empty.'
      : `${count(point.messages, 'message')} of the conversation come along, with model and mode. The original stays as it is.`;
  const changed =
    previews.length === 0 ? [] : [`${files(previews.length)} changed after this message.`];
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: [along, ...changed].join('\n') },
    ...(previews.length === 0 ? ['Fork'] : [WITHOUT_FILES, WITH_FILES]),
  );
  if (answer === undefined) return undefined;
  if (answer !== WITH_FILES) return [];
  return confirmedFiles(previews, {
    title: 'Fork with Files as They Were Then',
    question: `Restore ${files(previews.length)} for the fork?`,
    lines: ['All sessions work on the same files.'],
    yes: 'Restore',
    uncertain: point.records.some(({ uncertain }) => uncertain),
    unkept: unkeptOf(point.records),
  });
}

async function chooseMessage(
  { engine: { fork } }: CommandServices,
  sessionId: string,
): Promise<string | undefined> {
  const messages = await fork.messages(sessionId);
  if (messages.length === 0) {
    void vscode.window.showInformationMessage('There is no message in this conversation yet.');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    messages.map(({ id, role, parts, createdAt }) => ({
      label: `$(${role === 'user' ? 'account' : 'comment'}) ${titleOf({ parts })}`,
      description: role === 'user' ? 'with what came before it' : 'with this answer',
      detail: new Date(createdAt).toLocaleString(),
      id,
    })),
    { title: 'Belay: Fork Session from Here', placeHolder: 'Where does the fork begin?' },
  );
  return chosen?.id;
}

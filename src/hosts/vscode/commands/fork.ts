import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type RestorePreview, isRestorable } from '../../../core/restore/agent-changes.ts';
import type { ForkPoint } from '../../../core/restore/session-fork.ts';
import { titleOf } from '../../../core/restore/title-of.ts';
import type { CommandHandlers } from './register.ts';
import {
  confirmedFiles,
  files,
  notRestoredLine,
  refuseUnsaved,
  uncertainLine,
  undecidedLine,
  unkeptLine,
} from './review/restore-files.ts';
import { givenMessage, refuseBusy } from './review/given-message.ts';
import type { CommandServices } from './services.ts';
import { shownSession } from './sessions.ts';
import { count, spoken } from '../../../domain/text/language.ts';

const WITH_FILES = l10n.t('With Files as They Were Then');
const WITHOUT_FILES = l10n.t('Conversation Only');

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
      const chosen = await chosenFiles(services, point, await restore.preview(point.records));
      if (chosen === undefined) return;
      refuseUnsaved(chosen);
      const { sessionId: forkId, asked } = await fork.fork(point);
      await sessions.refresh(forkId);
      await panel.roomFor(forkId);
      await view.reveal(asked === undefined ? 'focus_input' : undefined);
      if (asked === undefined) await panel.show(forkId);
      else await panel.giveBack(forkId, asked);
      // The fork is there also when the files cannot be put back; why is told.
      const left =
        chosen.length === 0
          ? []
          : await restore.restoreFilesIn(forkId, titleOf(point.message), chosen);
      const told =
        chosen.length === 0
          ? l10n.t('The fork is open. The original session is as it was.')
          : l10n.t(
              'The fork is open, {0} restored. The original session is as it was.',
              files(chosen.length - left.length),
            );
      void vscode.window.showInformationMessage([told, ...notRestoredLine(left)].join(' '));
    },
  };
}

/** Asks; gives the files that are put back, none for the conversation alone. */
async function chosenFiles(
  { engine: { restore } }: CommandServices,
  point: ForkPoint,
  previews: readonly RestorePreview[],
): Promise<readonly RestorePreview[] | undefined> {
  const question = l10n.t('Fork the session at “{0}”?', titleOf(point.message));
  const along =
    point.messages === 0
      ? l10n.t('The fork begins empty.')
      : l10n.t(
          '{0} of the conversation come along, with model and mode. The original stays as it is.',
          count(point.messages, 'message'),
        );
  const changed =
    previews.length === 0
      ? []
      : [l10n.t('{0} changed after this message.', files(previews.length))];
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: [along, ...changed].join('\n') },
    ...(previews.length === 0 ? [l10n.t('Fork')] : [WITHOUT_FILES, WITH_FILES]),
  );
  if (answer === undefined) return undefined;
  if (answer !== WITH_FILES) return [];
  return confirmedFiles(previews, {
    title: l10n.t('Fork with Files as They Were Then'),
    question: l10n.t('Restore {0} for the fork?', files(previews.filter(isRestorable).length)),
    lines: [
      l10n.t('All sessions work on the same files.'),
      ...undecidedLine(await restore.countUndecided(previews.filter(isRestorable))),
      ...uncertainLine(point.records),
    ],
    notCovered: unkeptLine(point.records),
    yes: l10n.t('Restore'),
  });
}

async function chooseMessage(
  { engine: { fork } }: CommandServices,
  sessionId: string,
): Promise<string | undefined> {
  const messages = await fork.messages(sessionId);
  if (messages.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('There is no message in this conversation yet.'),
    );
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    messages.map(({ id, role, parts, createdAt }) => ({
      label: `$(${role === 'user' ? 'account' : 'comment'}) ${titleOf({ parts })}`,
      description:
        role === 'user' ? l10n.t('with what came before it') : l10n.t('with this answer'),
      detail: new Date(createdAt).toLocaleString(spoken()),
      id,
    })),
    {
      title: l10n.t('Belay: Fork Session from Here'),
      placeHolder: l10n.t('Where does the fork begin?'),
    },
  );
  return chosen?.id;
}

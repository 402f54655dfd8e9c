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
import { spoken } from '../../../domain/text/language.ts';

/** A new session with the conversation up to a message; the original stays. */
export function forkCommands(services: CommandServices) {
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
      const previews = await restore.preview(point.records);
      const { sessionId: forkId, asked } = await fork.fork(point);
      await sessions.refresh(forkId);
      await panel.roomFor(forkId);
      await view.reveal(asked === undefined ? 'focus_input' : undefined);
      if (asked === undefined) await panel.show(forkId);
      else await panel.giveBack(forkId, asked);
      void offerFiles(services, { point, previews, forkId });
    },
  } satisfies Partial<CommandHandlers>;
}

interface Forked {
  readonly point: ForkPoint;
  readonly previews: readonly RestorePreview[];
  readonly forkId: string;
}

/** Tells that the fork is open, and offers the files as they were at its message where some have changed since. */
async function offerFiles(
  services: CommandServices,
  { point, previews, forkId }: Forked,
): Promise<void> {
  const { restore } = services.engine;
  const opened = l10n.t('The fork is open. The original session is as it was.');
  if (previews.length === 0) {
    void vscode.window.showInformationMessage(opened);
    return;
  }
  const changed = l10n.t('{0} changed after this message.', files(previews.length));
  const restoreFiles = l10n.t('Restore Files…');
  const answer = await vscode.window.showInformationMessage(`${opened} ${changed}`, restoreFiles);
  if (answer !== restoreFiles) return;
  const restorable = previews.filter(isRestorable);
  const chosen = await confirmedFiles(previews, {
    title: l10n.t('Fork with Files as They Were Then'),
    question: l10n.t('Restore {0} for the fork?', files(restorable.length)),
    lines: [
      l10n.t('All sessions work on the same files.'),
      ...undecidedLine(await restore.countUndecided(restorable)),
      ...uncertainLine(point.records),
    ],
    notCovered: unkeptLine(point.records),
    yes: l10n.t('Restore'),
  });
  if (chosen === undefined) return;
  refuseUnsaved(chosen);
  const left = await restore.restoreFilesIn(forkId, titleOf(point.message), chosen);
  void vscode.window.showInformationMessage(
    [l10n.t('{0} restored.', files(chosen.length - left.length)), ...notRestoredLine(left)].join(
      ' ',
    ),
  );
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

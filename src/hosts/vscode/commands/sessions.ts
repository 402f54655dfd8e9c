import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { Session } from '../../../domain/session/session.ts';
import { signalOf } from '../extension-tools/cancellation.ts';
import { exportToFile, importFromFile } from './session-files.ts';
import { costText } from '../../../window/status-text.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';
import { spoken, count } from '../../../domain/text/language.ts';

/** Commands about sessions and their runs; all but the first three mean the session on screen. */
export function sessionCommands(services: CommandServices) {
  const { panel, view, sessions, transfer, engine } = services;
  const { agent } = engine;
  return {
    'belay.newSession': async () => {
      await panel.show(null);
      await view.reveal('focus_input');
    },
    'belay.openSession': async (given) => {
      const { sessionId } = isJsonObject(given) ? given : {};
      if (typeof sessionId === 'string') return view.goTo(sessionId, 'focus_input');
      const chosen = await pickSession(services);
      if (chosen === undefined) return;
      await panel.show(chosen.id);
      await view.reveal('focus_input');
    },
    'belay.importSession': async () => {
      const id = await importFromFile(transfer);
      if (id === undefined) return;
      await sessions.refresh(id);
      await panel.show(id);
      await view.reveal();
    },
    'belay.renameSession': async () => {
      const id = shownSession(services);
      const title = await askForTitle(sessions.find(id)?.title ?? '');
      if (title === undefined) return;
      await agent.sessions.rename(id, title.trim());
      await sessions.refresh(id);
    },
    'belay.deleteSession': async () => {
      const id = shownSession(services);
      const { deletions } = panel.list;
      await deletions.delete([id]);
      if (view.sessionId === id) await panel.show(null);
      const said = deletions.view?.said ?? '';
      if ((await vscode.window.showInformationMessage(said, l10n.t('Undo'))) !== l10n.t('Undo'))
        return;
      const [back] = deletions.undo();
      if (back !== undefined) await panel.show(back);
      else
        void vscode.window.showInformationMessage(
          l10n.t('It is deleted: the time to undo it was over.'),
        );
    },
    'belay.exportSession': async () => {
      const id = shownSession(services);
      await exportToFile(transfer, { id, title: sessions.find(id)?.title ?? '' });
    },
    'belay.stop': async () => panel.away.stop(shownSession(services)),
    'belay.continue': async () => void (await agent.continueRun(shownSession(services))),
    'belay.compact': async () => {
      const id = shownSession(services);
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: l10n.t('Belay summarizes the conversation'),
          cancellable: true,
        },
        async (_progress, token) => {
          const stop = signalOf(token);
          stop.signal.addEventListener('abort', () => agent.runs.cancel(id), { once: true });
          try {
            await agent.compaction.summarize(id);
          } finally {
            stop.dispose();
          }
        },
      );
    },
  } satisfies Partial<CommandHandlers>;
}

async function askForTitle(value: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t('Belay: Rename Session'),
    value,
    validateInput: (text) =>
      text.trim() === '' || text.length > 200 ? l10n.t('1 to 200 characters') : undefined,
  });
}

export function shownSession({ view }: CommandServices): string {
  if (view.sessionId !== undefined) return view.sessionId;
  const message = told`No session is open. Send a message first, or open one with Belay: Open Session.`;
  throw fault('not_found', message);
}

export async function pickSession({
  sessions,
  panel,
  view,
}: CommandServices): Promise<Session | undefined> {
  const rows = (await sessions.list())
    .filter((session) => session.type === 'main')
    .toSorted((left, right) => Number(right.pinned === true) - Number(left.pinned === true));
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('There is no session yet. Send a message to begin one.'),
    );
    return undefined;
  }
  const cutOff = new Set(
    panel.list.rows().flatMap(({ id, state }) => (state === 'unfinished' ? [id] : [])),
  );
  const items = rows.map((session) => ({
    label: session.title === '' ? l10n.t('Untitled') : session.title,
    description: [
      ...(session.id === view.sessionId ? [l10n.t('on screen')] : []),
      ...(cutOff.has(session.id) ? [l10n.t('cut off, can go on')] : []),
      ...(session.pinned === true ? [l10n.t('pinned')] : []),
      ...(session.archived === true ? [l10n.t('archived')] : []),
    ].join(' · '),
    detail: describe(session),
    session,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Belay: Open Session'),
    placeHolder: l10n.t('Search by title'),
    matchOnDetail: true,
  });
  return chosen?.session;
}

function describe(session: Session): string {
  const cost = costText(session.cost, session.costUnknown === true);
  const messages = count(session.messageCount, 'message');
  const when = new Date(session.updatedAt).toLocaleString(spoken());
  return [when, messages, ...(cost === '' ? [] : [cost])].join(' · ');
}

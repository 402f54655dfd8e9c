import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLive, type SessionRow } from '../../../protocol/snapshot.ts';
import { spoken } from '../../../domain/text/language.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';
import { pickSession } from './sessions.ts';

/** Commands about sessions in editor tabs, and about all that are at work. */
export function tabCommands(services: CommandServices) {
  const { view } = services;
  return {
    'belay.openSessionInEditor': async (given) => {
      const { sessionId, beside } = isJsonObject(given) ? given : {};
      const named = typeof sessionId === 'string' ? sessionId : undefined;
      const shown = view.isTab ? undefined : view.sessionId;
      const id = named ?? shown ?? (await pickSession(services))?.id;
      if (id !== undefined) await view.tabs.open(id, beside === true);
    },
    'belay.newSessionInEditor': () => view.tabs.open(null, false),
    'belay.showActiveSessions': () => showActive(services),
  } satisfies Partial<CommandHandlers>;
}

/** Icons and words of what sessions are at, in the order of the list: who waits for the person comes first. */
const STATES: Readonly<
  Record<SessionRow['state'], { readonly icon: string; readonly label: string }>
> = {
  approval: { icon: 'shield', label: l10n.t('waits for your approval') },
  question: { icon: 'question', label: l10n.t('asks you something') },
  running: { icon: 'loading~spin', label: l10n.t('running') },
  background: { icon: 'server-process', label: l10n.t('runs in the background') },
  turn: { icon: 'clock', label: l10n.t('waits for its turn') },
  unfinished: { icon: 'debug-disconnect', label: l10n.t('interrupted') },
  failed: { icon: 'error', label: l10n.t('failed') },
  idle: { icon: 'comment-discussion', label: '' },
};
const ORDER = Object.keys(STATES);

async function showActive({ panel, view }: CommandServices): Promise<void> {
  await panel.list.reload();
  const rows = panel.list.rows().filter((row) => isLive(row) || row.state === 'failed');
  if (rows.length === 0)
    throw fault('not_found', told`No session is at work, waits or has failed.`);
  const items = rows
    .toSorted(
      (left, right) =>
        ORDER.indexOf(left.state) - ORDER.indexOf(right.state) || right.updatedAt - left.updatedAt,
    )
    .map(({ id, state, title, updatedAt }) => ({
      label: `$(${STATES[state].icon}) ${title === '' ? l10n.t('Untitled') : title}`,
      description: STATES[state].label,
      detail: new Date(updatedAt).toLocaleString(spoken()),
      id,
      waits: state === 'approval' || state === 'question',
    }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Belay: Running and Waiting Sessions'),
    placeHolder: l10n.t('Search by title'),
  });
  if (chosen !== undefined)
    await view.goTo(chosen.id, chosen.waits ? 'focus_waiting' : 'focus_input');
}

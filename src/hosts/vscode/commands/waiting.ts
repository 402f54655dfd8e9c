import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Calls of all sessions that wait for an answer. */
export function waitingCommands(services: CommandServices) {
  return { 'belay.showPending': () => showPending(services) } satisfies Partial<CommandHandlers>;
}

async function showPending(services: CommandServices): Promise<void> {
  const pending = services.host.desk.pending();
  const [only] = pending;
  if (only === undefined) {
    throw fault('not_found', told`Nothing waits for you.`);
  }
  if (pending.length === 1) {
    await services.show(only);
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    pending.map((one) => ({
      label: one.kind === 'approval' ? one.question.title : one.question.question,
      description: services.sessions.find(one.question.sessionId)?.title ?? '',
      detail: one.kind === 'approval' ? one.question.detail.slice(0, 300) : '',
      pending: one,
    })),
    { title: l10n.t('Belay: What Waits for You') },
  );
  if (chosen !== undefined) await services.show(chosen.pending);
}

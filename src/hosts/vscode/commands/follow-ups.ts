import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FollowUp } from '../../../domain/session/followup.ts';
import { commandWordsOf, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { dateAndTime } from '../../../domain/text/language.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

type Row = vscode.QuickPickItem & { readonly followUp: FollowUp };

const EDIT: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: l10n.t('Edit'),
};
const CANCEL: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('close'),
  tooltip: l10n.t('Cancel this follow-up'),
};

/** All prompts that come back into their sessions: to see, edit and cancel. */
export function followUpCommands(
  services: Pick<CommandServices, 'engine' | 'sessions'> & Pick<CommandServices, 'panel'>,
) {
  return {
    'belay.showFollowUps': async () => showFollowUps(services),
  } satisfies Partial<CommandHandlers>;
}

async function showFollowUps({
  engine,
  sessions,
  panel,
}: Pick<CommandServices, 'engine' | 'sessions' | 'panel'>): Promise<void> {
  const { followUps } = engine.runs;
  const rows = async (): Promise<readonly Row[]> =>
    (await followUps.all()).map((followUp) => ({
      label: `$(watch) ${dateAndTime(followUp.dueAt)}`,
      description: sessions.find(followUp.sessionId)?.title ?? '',
      detail: followUp.prompt.slice(0, 300),
      buttons: [EDIT, CANCEL],
      followUp,
    }));
  const first = await rows();
  if (first.length === 0) throw fault('not_found', told`No follow-up waits.`);
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = l10n.t('Belay: Follow-ups');
  pick.placeholder = l10n.t('Choose one to open its session; the buttons edit and cancel');
  pick.items = first;
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      void vscode.window.showErrorMessage(commandWordsOf(error, pick.title ?? ''));
    }
  };
  pick.onDidTriggerItemButton(({ item, button }) => {
    void act(async () => {
      if (button === CANCEL) {
        await followUps.cancel(item.followUp.id);
        pick.items = await rows();
        if (pick.items.length === 0) pick.hide();
      } else {
        pick.hide();
        await edit(item.followUp, async (prompt, dueAt) =>
          followUps.change(item.followUp.id, prompt, dueAt),
        );
      }
    });
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen !== undefined) void act(async () => panel.show(chosen.followUp.sessionId));
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

/** Asks for the words, then for the time. */
async function edit(
  { prompt, dueAt }: FollowUp,
  change: (prompt: string, dueAt: number) => Promise<void>,
): Promise<void> {
  const words = await vscode.window.showInputBox({
    title: l10n.t('Prompt of the follow-up'),
    value: prompt,
    ignoreFocusOut: true,
  });
  if (words === undefined) return;
  const local = new Date(dueAt - new Date(dueAt).getTimezoneOffset() * 60_000);
  const value = local.toISOString().slice(0, 16).replace('T', ' ');
  const time = await vscode.window.showInputBox({
    title: l10n.t('Time of the follow-up'),
    value,
    ignoreFocusOut: true,
    validateInput: (given) =>
      Number.isFinite(Date.parse(given)) ? undefined : l10n.t('Write it as {0}', value),
  });
  if (time !== undefined) await change(words, time === value ? dueAt : Date.parse(time));
}

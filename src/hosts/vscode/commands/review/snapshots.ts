import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandServices } from '../services.ts';
import type { Snapshot } from '../../../../store/engine/snapshots.ts';
import type { CommandHandlers } from '../register.ts';
import { shownSession } from '../sessions.ts';
import { count, spoken } from '../../../../domain/text/language.ts';

const DELETE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: l10n.t('Delete this snapshot'),
};

/** Saved states of the session on screen (D8): what a restore or a reset replaces is kept as one itself. */
export function snapshotCommands(services: CommandServices) {
  const { sessions, engine } = services;
  const { snapshots } = engine.store;
  return {
    'belay.saveSnapshot': async () => {
      const id = shownSession(services);
      const title = await vscode.window.showInputBox({
        title: l10n.t('Belay: Save Snapshot'),
        prompt: l10n.t(
          'What you want to find it by. The files of the workspace are not part of it.',
        ),
        value: sessions.find(id)?.title ?? '',
        validateInput: (value) =>
          value.trim() === '' ? l10n.t('A snapshot needs a title') : undefined,
      });
      if (title === undefined) return;
      await snapshots.save(id, title.trim());
      void vscode.window.showInformationMessage(
        l10n.t('The snapshot “{0}” is saved.', title.trim()),
      );
    },
    'belay.resetSession': async () => {
      const id = shownSession(services);
      const sure = await vscode.window.showWarningMessage(
        l10n.t('Empty this conversation?'),
        {
          modal: true,
          detail: l10n.t('What it is now is kept as a snapshot. Files are not changed.'),
        },
        l10n.t('Empty'),
      );
      if (sure !== l10n.t('Empty')) return;
      await engine.restore.replace(id, undefined);
      const said = l10n.t('The conversation is empty. What it was is kept as a snapshot.');
      await showReplaced(services, id, said);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Asks for a snapshot of a session and makes its conversation what it was. */
export async function restoreSnapshot(services: CommandServices, id: string): Promise<void> {
  const chosen = await pickSnapshot(services, id);
  if (chosen === undefined) return;
  await services.engine.restore.replace(id, chosen);
  const said = l10n.t(
    'The conversation is as it was in “{0}”. What it was before is kept as a snapshot; files were not changed.',
    chosen.title,
  );
  await showReplaced(services, id, said);
}

async function showReplaced(
  { sessions, panel }: CommandServices,
  id: string,
  said: string,
): Promise<void> {
  await sessions.refresh(id);
  await panel.reload(id);
  void vscode.window.showInformationMessage(said);
}

interface Item extends vscode.QuickPickItem {
  readonly snapshot: Snapshot;
}

/** Lets the person choose one, and delete others on the way. */
async function pickSnapshot(
  { engine }: CommandServices,
  sessionId: string,
): Promise<Snapshot | undefined> {
  const items = async (): Promise<Item[]> =>
    (await engine.store.snapshots.list(sessionId)).map((snapshot) => ({
      label: snapshot.title,
      description: snapshot.kind === 'automatic' ? l10n.t('automatic') : '',
      detail: `${new Date(snapshot.createdAt).toLocaleString(spoken())} · ${count(snapshot.messageCount, 'message')}`,
      buttons: [DELETE],
      snapshot,
    }));
  const found = await items();
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('There is no snapshot of this session. Belay: Save Snapshot makes one.'),
    );
    return undefined;
  }
  const pick = vscode.window.createQuickPick<Item>();
  const chosen = Promise.withResolvers<Snapshot | undefined>();
  pick.title = l10n.t('Belay: Restore Snapshot');
  pick.placeholder = l10n.t('The conversation becomes what it was; files stay as they are');
  pick.items = found;
  pick.onDidAccept(() => chosen.resolve(pick.selectedItems[0]?.snapshot));
  pick.onDidHide(() => chosen.resolve(undefined));
  pick.onDidTriggerItemButton(({ item }) => {
    void engine.store.snapshots
      .delete(item.snapshot.id)
      .then(items)
      .then((left) => Object.assign(pick, { items: left }), chosen.reject);
  });
  pick.show();
  try {
    return await chosen.promise;
  } finally {
    pick.dispose();
  }
}

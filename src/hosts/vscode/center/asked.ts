import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CleanUp } from '../../../core/restore/storage/checkpoint-storage.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import type { CenterHandlers } from '../../../protocol/center/requests.ts';
import { writeExport } from '../files/write-export.ts';
import { openSettings } from '../settings/settings.ts';

const DELETE = l10n.t('Delete');

/** Asks if the person really wants to delete checkpoints. */
export async function confirmCleanUp(what: CleanUp): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(
    questionOf(what),
    {
      modal: true,
      detail: l10n.t('Your files and conversations stay as they are. This cannot be undone.'),
    },
    DELETE,
  );
  return chosen === DELETE;
}

function questionOf(what: CleanUp): string {
  switch (what.kind) {
    case 'gone':
      return l10n.t('Delete what is left of sessions that are gone?');
    case 'older':
      return l10n.t('Delete all checkpoints older than {0} days?', what.days);
    case 'everything':
      return l10n.t('Delete all checkpoints of this workspace?');
    default:
      return what satisfies never;
  }
}

/** Saves a text where the person says, under a name with an end; `false`: they gave up. */
export async function saveText(name: string, text: string): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const end = name.slice(name.lastIndexOf('.') + 1);
  const file = await vscode.window.showSaveDialog({
    filters: { [end.toUpperCase()]: [end] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (file === undefined) return false;
  await writeExport(file, text);
  return true;
}

export async function openInEditor(path: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
}

/** The page's ways to settings and commands; a failure of a command is told by itself. */
export const opening: Pick<CenterHandlers, 'openSetting' | 'runCommand'> = {
  openSetting: async ({ setting }) => {
    await openSettings(setting);
    return null;
  },
  runCommand: async ({ command }) => {
    await vscode.commands.executeCommand(`belay.${command}` satisfies CommandId);
    return null;
  },
};

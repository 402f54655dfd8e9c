import * as vscode from 'vscode';
import type { Ids } from '../../../core/ports/ids.ts';
import { pickAttachments } from './attachments.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import type { LinkParts } from '../../../panel/file-target.ts';
import { openExternal, openLink } from './links.ts';
import type { PanelEditor } from '../../../panel/services.ts';
import type { FinishedEdits } from './finished-edits.ts';
import type { AppTabs } from '../apps/app-tabs.ts';
import type { ServerResources } from './server-resources.ts';
import { type SessionTransfer, exportToFile, importFromFile } from '../commands/session-files.ts';

export interface EditorParts {
  readonly finished: FinishedEdits;
  readonly links: LinkParts;
  readonly resources: Pick<ServerResources, 'open'>;
  readonly apps: Pick<AppTabs, 'open'>;
  readonly ids: Ids;
  readonly transfer: SessionTransfer;
  readonly titleOf: (sessionId: string) => string | undefined;
}

/** Commands behind the menu of a message; a failure of theirs is told by themselves. */
const RESTORE_COMMANDS: Readonly<
  Record<Parameters<PanelEditor['restore']>[0], readonly [CommandId, choice?: string]>
> = {
  restore_files: ['belay.restore', 'files'],
  restore_conversation: ['belay.restore', 'conversation'],
  restore_both: ['belay.restore', 'both'],
  undo_turn: ['belay.undoTurn'],
  fork: ['belay.forkSession'],
  edit: ['belay.sendAgain', 'edit'],
  retry: ['belay.sendAgain', 'same_model'],
  other_model: ['belay.sendAgain', 'other_model'],
  redo: ['belay.redoRestore'],
};

/** The panel's services that only the editor can give. */
export function editorServices(parts: EditorParts): PanelEditor {
  return {
    runCommand: async (command) => {
      await vscode.commands.executeCommand(`belay.${command}` satisfies CommandId);
    },
    openCenter: async ({ section, item }) => {
      await vscode.commands.executeCommand(
        'belay.openControlCenter' satisfies CommandId,
        section,
        item,
      );
    },
    openEdits: (callId, edits) => parts.finished.show(callId, edits),
    openFile: (link) => openLink(link, parts.links),
    openExternal,
    openResource: (resource) => parts.resources.open(resource),
    openApp: (app) => parts.apps.open(app),
    openSettings: async (query) => {
      await vscode.commands.executeCommand(
        'workbench.action.openSettings',
        query === '' ? '@ext:belay.belay' : query,
      );
    },
    copy: async (text) => {
      await vscode.env.clipboard.writeText(text);
    },
    restore: async (action, sessionId, messageId) => {
      const [command, choice] = RESTORE_COMMANDS[action];
      await vscode.commands.executeCommand(command, { sessionId, messageId, choice });
    },
    pickFiles: () => pickAttachments(parts.ids, parts.links.guard),
    openSession: async (sessionId, beside) => {
      await vscode.commands.executeCommand('belay.openSessionInEditor' satisfies CommandId, {
        sessionId,
        beside,
      });
    },
    exportSession: async (id) => {
      await exportToFile(parts.transfer, { id, title: parts.titleOf(id) ?? '' });
    },
    importSession: () => importFromFile(parts.transfer),
  };
}

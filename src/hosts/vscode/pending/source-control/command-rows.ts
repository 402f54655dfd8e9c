import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandGroup } from '../../../../core/review/commands/stored-groups.ts';
import { makeVisible } from '../../../../domain/text/honest-text.ts';
import { dateAndTime } from '../../../../domain/text/language.ts';

/** Id of the resource group; the menus name it. */
export const COMMANDS_GROUP = 'commands';

/** A file that changed while a command ran. */
export interface CommandResource extends vscode.SourceControlResourceState {
  /** Id of the group, the newest one that lists the file. */
  readonly groupId: string;
}

/** A row for each file; of several commands the newest one counts. */
export function commandRows(groups: readonly CommandGroup[]): readonly CommandResource[] {
  const newest = new Map(
    groups.flatMap((group) => group.paths.map((path) => [path, group] as const)),
  );
  return [...newest].map(([path, { id, line, at }]) => {
    const resourceUri = vscode.Uri.file(path);
    const time = dateAndTime(at);
    return {
      groupId: id,
      resourceUri,
      contextValue: COMMANDS_GROUP,
      decorations: {
        tooltip: l10n.t('Changed while “{0}” ran ({1})', makeVisible(line), time),
        iconPath: new vscode.ThemeIcon('terminal'),
      },
      command: { command: 'vscode.open', title: l10n.t('Open'), arguments: [resourceUri] },
    };
  });
}

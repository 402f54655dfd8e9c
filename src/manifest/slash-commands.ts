import * as l10n from '@vscode/l10n';
import type { SlashCommandRow } from '../domain/slash-command.ts';
import { type CommandDeclaration, COMMANDS } from './commands.ts';

/** Lists the commands of the message box in the language of the user. */
export const listSlashCommands = (): readonly SlashCommandRow[] =>
  Object.entries<CommandDeclaration>(COMMANDS).flatMap(([id, { slash = [] }]) =>
    slash.map((row) => ({
      ...row,
      description: l10n.t(row.description),
      command: id.slice('belay.'.length),
    })),
  );

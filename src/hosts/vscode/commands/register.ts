import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../../core/ports/log.ts';
import { type FailureCode, commandWordsOf, failureOf } from '../../../domain/failure.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import { INTERNAL_COMMANDS } from '../../../manifest/internal-commands.ts';
import type { DeclaredCommand } from './declared-commands.ts';

/** One handler for each command of the manifest; a missing one does not compile. */
export type CommandHandlers = {
  readonly [Id in CommandId]: (...args: readonly unknown[]) => Promise<void>;
};

/** The button that helps with a failure, and its command. */
function helpFor(
  code: FailureCode,
): { readonly label: string; readonly command: CommandId } | undefined {
  switch (code) {
    case 'auth':
    case 'config':
      return { label: l10n.t('Set API Key'), command: 'belay.setApiKey' };
    case 'model_not_found':
      return { label: l10n.t('Choose Model'), command: 'belay.chooseModel' };
    case 'unexpected':
    case 'store':
      return { label: l10n.t('Show Log'), command: 'belay.showLog' };
    default:
      return undefined;
  }
}

/** Creates what runs a command by its id, and shows a failure as a sentence with a way on: no click is dead. */
export function createRunner<AtOnce extends CommandId>(
  atOnce: Pick<CommandHandlers, AtOnce>,
  later: Omit<CommandHandlers, AtOnce>,
  { log, titleOf }: { readonly log: Log; readonly titleOf: (id: CommandId) => string },
): (id: CommandId, args: readonly unknown[]) => Promise<void> {
  return async (id, args) => {
    try {
      const handlers = (id in atOnce ? atOnce : later) as CommandHandlers;
      await handlers[id](...args);
    } catch (error) {
      // Not awaited: who runs a command does not wait until a message is closed.
      void tell({ id, title: titleOf(id) }, error, log);
    }
  };
}

/** Returns the title of a command as VS Code shows it. */
export function titleOfCommand(id: CommandId, commands: readonly DeclaredCommand[]): string {
  const declared = commands.find(({ command }) => command === id);
  return declared?.title ?? l10n.t(INTERNAL_COMMANDS[id as keyof typeof INTERNAL_COMMANDS] ?? id);
}

async function tell(
  { id, title }: { readonly id: CommandId; readonly title: string },
  error: unknown,
  log: Log,
): Promise<void> {
  const failure = failureOf(error);
  if (failure.code === 'canceled') return;
  log.error(`The command ${id} failed.`, error);
  const help = helpFor(failure.code);
  const chosen = await vscode.window.showErrorMessage(
    commandWordsOf(error, title),
    ...(help === undefined ? [] : [help.label]),
  );
  if (help !== undefined && chosen === help.label)
    await vscode.commands.executeCommand(help.command);
}

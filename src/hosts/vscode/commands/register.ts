import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../../core/ports/log.ts';
import { type FailureCode, commandWordsOf, failureOf } from '../../../domain/failure.ts';
import { type CommandId, COMMANDS } from '../../../manifest/commands.ts';

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

/** The handlers with a failure turned into a sentence with a way on (A14), never a dead click. */
export function tellingFailures<AtOnce extends CommandId>(
  atOnce: Pick<CommandHandlers, AtOnce>,
  later: Omit<CommandHandlers, AtOnce>,
  log: Log,
): CommandHandlers {
  const ids = Object.keys(COMMANDS) as CommandId[];
  return Object.fromEntries(
    ids.map((id) => [
      id,
      async (...args: readonly unknown[]) => {
        try {
          const handlers = (id in atOnce ? atOnce : later) as CommandHandlers;
          await handlers[id](...args);
        } catch (error) {
          // Not awaited: who runs a command does not wait until a message is closed.
          void tell(id, error, log);
        }
      },
    ]),
  ) as CommandHandlers;
}

async function tell(id: CommandId, error: unknown, log: Log): Promise<void> {
  const failure = failureOf(error);
  if (failure.code === 'canceled') return;
  log.error(`The command ${id} failed.`, error);
  const help = helpFor(failure.code);
  const chosen = await vscode.window.showErrorMessage(
    commandWordsOf(error, l10n.t(COMMANDS[id].title)),
    ...(help === undefined ? [] : [help.label]),
  );
  if (help !== undefined && chosen === help.label)
    await vscode.commands.executeCommand(help.command);
}

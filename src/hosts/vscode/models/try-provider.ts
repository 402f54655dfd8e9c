import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CheckParts, InstanceCheck } from '../../../providers/check-instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import type { CommandServices } from '../commands/services.ts';

/** The parts that the commands about models work with. */
export type ModelServices = Pick<CommandServices, 'engine' | 'host' | 'models' | 'panel' | 'view'>;

/** Tries a provider with a key while the person sees that, and may give up. */
export async function tryProvider(
  { host }: Pick<ModelServices, 'host'>,
  instance: ProviderInstance,
  key: string | undefined,
  how: Pick<CheckParts, 'ask' | 'model'>,
): Promise<InstanceCheck> {
  const { checkInstance } = await import('../../../providers/check-instance.ts');
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Trying {0}…', instance.name),
      cancellable: true,
    },
    async (_, canceled) => {
      const giveUp = new AbortController();
      canceled.onCancellationRequested(() => giveUp.abort());
      const check = await checkInstance(instance, key, {
        ...how,
        clock: host.clock,
        signal: giveUp.signal,
      });
      host.checks.set(instance, check);
      return check;
    },
  );
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasOwnKey, variableOf } from '../../../../providers/instance.ts';
import type { ProviderInstance } from '../../../../providers/instance.ts';
import { addProvider } from '../../models/add-provider.ts';
import { removeKey, setKey } from '../../models/key-dialogs.ts';
import { tryProvider } from '../../models/try-provider.ts';
import { useWithoutKey } from '../../models/without-key.ts';
import type { ModelServices } from '../../models/try-provider.ts';
import type { KeySource } from '../../secrets/provider-keys.ts';
import type { CommandHandlers } from '../register.ts';

/** Commands about providers of models and their keys; each asks of which provider, unless it is given its id. */
export function providerCommands(services: ModelServices) {
  const { keys } = services.host;
  const of = async (
    given: unknown,
    title: string,
    fits: (instance: ProviderInstance, source: KeySource) => boolean,
  ): Promise<ProviderInstance | undefined> =>
    keys.instances.find(({ id }) => id === given) ?? choose(keys, title, fits);
  return {
    'belay.addProvider': async () => addProvider(services),
    'belay.setApiKey': async (given) => {
      const instance = await of(given, l10n.t('Set API Key'), canBeStored);
      if (instance !== undefined) await setKey(services, instance);
    },
    'belay.removeApiKey': async (given) => {
      const instance = await of(given, l10n.t('Remove API Key'), (one, source) =>
        isRemovable(one, source),
      );
      if (instance !== undefined) await removeKey(services, instance);
    },
    'belay.useWithoutKey': async () => useWithoutKey(services.host),
    'belay.checkProvider': async (given) => {
      const instance = await of(given, l10n.t('Check Connection'), ({ wire }) => wire !== 'demo');
      if (instance !== undefined) await check(services, instance);
      // Its page says what was found.
      if (instance !== undefined && given === undefined)
        await vscode.commands.executeCommand('belay.openControlCenter', 'models');
    },
    'belay.editProvider': async (given) => {
      const instance = await of(given, l10n.t('Edit Model Provider'), () => true);
      if (instance === undefined) return;
      const { editProvider } = await import('../../models/edit-provider.ts');
      await editProvider(services, instance);
    },
    'belay.removeProvider': async (given) => {
      const instance = await of(given, l10n.t('Remove Model Provider'), (one) => !hasOwnKey(one));
      if (instance !== undefined && !hasOwnKey(instance)) await remove(services, instance);
    },
  } satisfies Partial<CommandHandlers>;
}

/** A key can be set: the variable of an added one is its setting's business. */
const canBeStored = (instance: ProviderInstance): boolean =>
  instance.key !== undefined && (hasOwnKey(instance) || variableOf(instance.key) === undefined);

/** Of the default one the yes to a variable can be taken back, too. */
const isRemovable = (instance: ProviderInstance, source: KeySource): boolean =>
  source === 'stored' || (source === 'environment' && hasOwnKey(instance));

const SOURCES: Readonly<Record<KeySource, string>> = {
  stored: l10n.t('key stored'),
  environment: l10n.t('key of the environment'),
  none: l10n.t('no key'),
  unneeded: l10n.t('needs no key'),
};

/** Asks of which provider; where only one fits, it is that one. */
async function choose(
  keys: ModelServices['host']['keys'],
  title: string,
  fits: (instance: ProviderInstance, source: KeySource) => boolean,
): Promise<ProviderInstance | undefined> {
  const sources = await Promise.all(
    keys.instances.map(async (instance) => ({ instance, source: await keys.source(instance) })),
  );
  const fitting = sources.filter(({ instance, source }) => fits(instance, source));
  if (fitting.length === 0)
    void vscode.window.showInformationMessage(l10n.t('There is no provider that this is about.'));
  if (fitting.length < 2) return fitting[0]?.instance;
  const chosen = await vscode.window.showQuickPick(
    fitting.map(({ instance, source }) => ({
      label: instance.name,
      description: [instance.id, SOURCES[source]].join(' · '),
      detail: instance.baseUrl,
      instance,
    })),
    {
      title: `Belay: ${title}`,
      placeHolder: l10n.t('Of which provider'),
      matchOnDescription: true,
    },
  );
  return chosen?.instance;
}

async function check(services: ModelServices, instance: ProviderInstance): Promise<void> {
  const key = await services.host.keys.read(instance);
  await tryProvider(services, instance, key, { ask: 'always' });
}

async function remove({ host }: ModelServices, instance: ProviderInstance): Promise<void> {
  const { id, name } = instance;
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('Remove the provider {0}?', name),
    {
      modal: true,
      detail: l10n.t(
        'Its stored API key is removed, too. Sessions keep what its models wrote; they go on with another model.',
      ),
    },
    l10n.t('Remove'),
  );
  if (chosen !== l10n.t('Remove')) return;
  await host.keys.remove(instance);
  await host.keys.forget(instance);
  const { [id]: _, ...others } = host.settings.get('model.providers');
  await host.settings.write('model.providers', others);
  void vscode.window.showInformationMessage(
    l10n.t('The provider {0} and its key were removed.', name),
  );
}

import * as vscode from 'vscode';
import { inWords } from '../../../domain/text/told.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import type { PanelProviders } from '../../../panel/services.ts';
import type {
  ProviderAction,
  ProviderRow,
  ProvidersView,
} from '../../../protocol/provider-view.ts';
import { serverHost, wireName } from '../../../providers/check-words.ts';
import { hasOwnKey } from '../../../providers/instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { readInstances } from '../../../providers/instances-setting.ts';
import type { WindowModels } from '../commands/services.ts';
import type { Host } from '../host.ts';

const COMMANDS = {
  add: 'belay.addProvider',
  check: 'belay.checkProvider',
  edit: 'belay.editProvider',
  remove: 'belay.removeProvider',
  remove_key: 'belay.removeApiKey',
  set_key: 'belay.setApiKey',
} as const satisfies Readonly<Record<ProviderAction, CommandId>>;

/** The providers of models, listed for their section of the Control Center. */
export interface PanelProviderList extends PanelProviders {
  list(): Promise<ProvidersView>;
}

/** The providers of models for panel and Control Center, and what a person does there. */
export function panelProviders(
  {
    checks,
    keys,
    recentModels,
    settings,
  }: Pick<Host, 'checks' | 'keys' | 'recentModels' | 'settings'>,
  models: Pick<WindowModels, 'list'>,
): PanelProviderList {
  const rowOf = async (
    instance: ProviderInstance,
    counts: ReadonlyMap<string, number>,
  ): Promise<ProviderRow> => {
    const check = checks.of(instance);
    return {
      id: instance.id,
      name: instance.name,
      host: serverHost(instance),
      api: wireName(instance),
      models: counts.get(instance.id) ?? 0,
      key: await keys.source(instance),
      check: check === undefined ? null : { works: check.state === 'works', said: check.said },
      added: !hasOwnKey(instance),
    };
  };
  return {
    list: async () => {
      const counts = new Map<string, number>();
      for (const { provider } of models.list())
        counts.set(provider, (counts.get(provider) ?? 0) + 1);
      const rows = keys.instances.map(async (instance) => rowOf(instance, counts));
      const { problems } = readInstances(settings.get('model.providers'));
      return { rows: await Promise.all(rows), problems: problems.map(inWords) };
    },
    act: async (action, id) => {
      await vscode.commands.executeCommand(COMMANDS[action], id ?? undefined);
    },
    chosen: async (model) => recentModels.add(model),
    favour: async (model, on) => {
      const others = settings.get('model.favorites').filter((one) => one !== model);
      await settings.write('model.favorites', on ? [...others, model] : others);
    },
  };
}

import type { Settings } from '../../domain/settings/settings.ts';
import { defaultInstance, KEY_VARIABLES } from '../../providers/anthropic/instance.ts';
import { environmentKeyOf, variable } from '../../providers/environment-keys.ts';
import type { HostModel } from '../engine-host.ts';

/** The model's connection of a host without a secret storage: whoever starts it with a key in the environment says yes to that. */
export function environmentModel(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly key: string | undefined; readonly model: HostModel } {
  const keyVariable =
    settings('model.keyVariable') ||
    (KEY_VARIABLES.find((name) => variable(environment, name) !== undefined) ?? '');
  const key = variable(environment, keyVariable);
  const own = defaultInstance(
    () => settings('model.baseUrl'),
    () => keyVariable,
  );
  return {
    key,
    model: {
      apiKey: async () => Promise.resolve(key),
      instances: [own],
      keyOf: async (instance) => Promise.resolve(environmentKeyOf(instance, environment)),
      titlesByModel: false,
    },
  };
}

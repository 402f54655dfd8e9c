import { hasOwnKey } from '../../../providers/instance.ts';
import type { ProviderKeys } from '../secrets/provider-keys.ts';
import type { SettingsReader } from '../settings/settings.ts';

/** The person goes on without the key that is gone: of a provider of the setting, that says so from now on. */
export async function useWithoutKey({
  keys,
  settings,
}: {
  readonly keys: Pick<ProviderKeys, 'lost' | 'forget'>;
  readonly settings: Pick<SettingsReader, 'get' | 'write'>;
}): Promise<void> {
  const instance = await keys.lost();
  if (instance === undefined) return;
  if (!hasOwnKey(instance)) {
    const all = settings.get('model.providers');
    const entry = all[instance.id] as object;
    await settings.write('model.providers', { ...all, [instance.id]: { ...entry, key: 'none' } });
  }
  await keys.forget(instance);
}

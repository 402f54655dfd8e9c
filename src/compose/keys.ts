import { hasOwnKey } from '../providers/instance.ts';
import type { ProviderInstance } from '../providers/instance.ts';
import { keyedAt } from '../providers/keyed-at.ts';
import type { HostModel } from './engine-host.ts';

/** The key of an instance, asked for each call. */
export async function keyFor(
  instance: ProviderInstance,
  { apiKey, keyOf }: Pick<HostModel, 'apiKey' | 'keyOf'>,
): Promise<string | undefined> {
  if (hasOwnKey(instance)) return apiKey();
  return instance.key === undefined ? undefined : keyOf?.(instance);
}

/** Addresses that had a key, of one instance. */
export function keyedOf(
  instance: ProviderInstance,
  { keyed }: Pick<HostModel, 'keyed'>,
): HostModel['keyed'] {
  return keyed === undefined
    ? undefined
    : {
        has: () => keyed.has(keyedAt(instance)),
        add: async () => keyed.add(keyedAt(instance)),
      };
}

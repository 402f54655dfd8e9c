import { addressOf } from './anthropic/address.ts';
import { hasOwnKey } from './instance.ts';
import type { ProviderInstance } from './instance.ts';

/** The name under which it is remembered that an instance had a key: of two at one address each has its own. */
export const keyedAt = (instance: ProviderInstance): string =>
  hasOwnKey(instance) ? addressOf(instance.baseUrl) : `${instance.id} ${instance.baseUrl}`;

import { hostOf } from '../http/address.ts';
import type { ProviderInstance } from '../instance.ts';

/** Variables that usually hold the key; the second a token. */
export const KEY_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] as const;

/**
 * The instance of those who have set up none: the public API, or a compatible one, which is called by its host.
 * Both are read for each call.
 * @param baseUrl the setting `model.baseUrl`
 * @param keyVariable the setting `model.keyVariable`
 */
export const defaultInstance = (
  baseUrl: () => string,
  keyVariable: () => string = () => '',
): ProviderInstance => ({
  id: 'anthropic',
  get name() {
    return baseUrl() === '' ? 'Anthropic' : hostOf(baseUrl());
  },
  wire: 'messages',
  get key() {
    const variable = keyVariable();
    return variable === '' ? ({ own: true } as const) : ({ own: true, variable } as const);
  },
  keyVariables: KEY_VARIABLES,
  get baseUrl() {
    return baseUrl();
  },
  models: [],
});

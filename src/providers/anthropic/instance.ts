import type { ProviderInstance } from '../instance.ts';

/**
 * The instance of those who have set up none: the public API, or a compatible one.
 * `baseUrl`: the setting `model.baseUrl`, read for each call.
 */
export const defaultInstance = (baseUrl: () => string): ProviderInstance => ({
  id: 'anthropic',
  name: 'Anthropic',
  wire: 'messages',
  key: { own: true },
  get baseUrl() {
    return baseUrl();
  },
  models: [],
});

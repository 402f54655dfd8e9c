import type { ModelInfo } from '../../domain/models/model.ts';
import type { ProviderInstance } from '../instance.ts';

/** The model that needs neither key nor network; it stands apart from its provider, which is loaded with the first run. */
export const DEMO_MODEL: ModelInfo = {
  id: 'demo',
  name: 'Demo model (offline)',
  provider: 'demo',
  offline: true,
  contextWindow: 100_000,
  maxOutputTokens: 8192,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  thinking: false,
  vision: false,
  toolChoice: false,
};

/** The instance that always is. */
export const DEMO_INSTANCE: ProviderInstance = {
  id: DEMO_MODEL.provider,
  name: DEMO_MODEL.name,
  wire: 'demo',
  baseUrl: '',
  models: [DEMO_MODEL],
};

import type { ModelInfo } from '../../domain/model.ts';

/** The model that needs neither key nor network; it stands apart from its provider, which is loaded with the first run. */
export const DEMO_MODEL: ModelInfo = {
  id: 'demo',
  name: 'Demo model (offline)',
  provider: 'demo',
  contextWindow: 100_000,
  maxOutputTokens: 8192,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  thinking: false,
  vision: false,
  toolChoice: true,
};

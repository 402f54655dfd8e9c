import type { Provider } from '../../../src/core/model-call/model-call.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createGeminiProvider } from '../../../src/providers/gemini/provider.ts';
import type { InstanceOptions } from '../../../src/providers/http/instance-wire.ts';
import type { ProviderInstance } from '../../../src/providers/instance.ts';

const MODEL: ModelInfo = {
  id: 'gemini-g',
  name: 'Gemini G',
  provider: 'gemini',
  contextWindow: 1_000_000,
  maxOutputTokens: 16_000,
  thinking: true,
  vision: true,
  toolChoice: true,
  efforts: { off: null, low: 'low', medium: 'medium', high: 'high' },
};

export const geminiInstance = (baseUrl: string): ProviderInstance => ({
  id: 'gemini',
  name: 'A Gemini server',
  wire: 'gemini',
  baseUrl,
  key: { secret: 'gemini' },
  models: [MODEL],
});

/** A provider of Gemini with nothing around it. */
export const geminiProvider = (
  baseUrl: string,
  { info, ...more }: Partial<InstanceOptions> & { readonly info?: Partial<ModelInfo> } = {},
): Provider =>
  createGeminiProvider({
    instance: geminiInstance(baseUrl),
    setting: 'belay.model.providers',
    apiKey: async () => Promise.resolve('test-key'),
    infoOf: (model) => ({ ...MODEL, ...info, id: model }),
    models: () => [MODEL],
    clock: new SystemClock(),
    ...more,
  });

import type { Provider } from '../../../src/core/model-call/model-call.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { InstanceOptions } from '../../../src/providers/http/instance-wire.ts';
import type { ProviderInstance } from '../../../src/providers/instance.ts';
import { createResponsesProvider } from '../../../src/providers/responses/provider.ts';

const MODEL: ModelInfo = {
  id: 'gpt-r',
  name: 'GPT R',
  provider: 'openai',
  contextWindow: 400_000,
  maxOutputTokens: 16_000,
  thinking: true,
  vision: true,
  toolChoice: true,
};

export const responsesInstance = (
  baseUrl: string,
  more: Partial<ProviderInstance> = {},
): ProviderInstance => ({
  id: 'openai',
  name: 'An OpenAI server',
  wire: 'responses',
  baseUrl,
  key: { secret: 'openai' },
  models: [MODEL],
  ...more,
});

/** A provider of Responses with nothing around it. */
export const responsesProvider = (
  baseUrl: string,
  {
    instance,
    info,
    ...more
  }: Partial<Omit<InstanceOptions, 'instance'>> & {
    readonly instance?: Partial<ProviderInstance>;
    readonly info?: Partial<ModelInfo>;
  } = {},
): Provider =>
  createResponsesProvider({
    instance: responsesInstance(baseUrl, instance),
    setting: 'belay.model.providers',
    apiKey: async () => Promise.resolve('test-key'),
    infoOf: (model) => ({ ...MODEL, ...info, id: model }),
    models: () => [MODEL],
    clock: new SystemClock(),
    ...more,
  });

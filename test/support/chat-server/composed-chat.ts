import type { Provider } from '../../../src/core/model-call/model-call.ts';
import type { ModelInfo } from '../../../src/domain/models/model.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { createChatProvider } from '../../../src/providers/chat/provider.ts';
import type { InstanceOptions } from '../../../src/providers/http/instance-wire.ts';
import type { WireFlags } from '../../../src/domain/models/wire-flags.ts';
import type { ProviderInstance } from '../../../src/providers/instance.ts';

export const CHAT_MODEL: ModelInfo = {
  id: 'gpt-x',
  name: 'GPT X',
  provider: 'local',
  contextWindow: 128_000,
  maxOutputTokens: 16_000,
  thinking: true,
  vision: true,
  toolChoice: true,
};

/** An instance at an address. */
export const chatInstance = (
  baseUrl: string,
  flags: Partial<WireFlags> = {},
): ProviderInstance => ({
  id: 'local',
  name: 'A local server',
  wire: 'chat',
  baseUrl,
  key: { secret: 'local' },
  flags,
  models: [CHAT_MODEL],
});

/** A provider of Chat Completions with nothing around it. */
export function chatProvider(
  baseUrl: string,
  more: Partial<InstanceOptions> & { readonly flags?: Partial<WireFlags> } = {},
): Provider {
  const { flags, ...options } = more;
  return createChatProvider({
    instance: chatInstance(baseUrl, flags),
    setting: 'belay.model.providers',
    apiKey: () => Promise.resolve('test-key'),
    infoOf: (model) => ({ ...CHAT_MODEL, id: model }),
    models: () => [CHAT_MODEL],
    clock: new SystemClock(),
    ...options,
  });
}
